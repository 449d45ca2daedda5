"""What all commands share: the group, progress bars, counts, files and printing."""
