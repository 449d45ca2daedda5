"""Turn forms made elsewhere into sheets that Candor can ask, and name all that is left out."""
