"""The default confidence level: how surely intervals and margins hold the truth."""

CONFIDENCE = 0.95
