"""The rules about surveys, without SQL and without HTTP: states, days, disclosure, tickets."""
