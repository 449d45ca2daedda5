"""For respondents: pages that are the same for everybody, tickets, and the way in."""
