"""Two questions of the same people: joint shares, conditional shares, association and test."""
