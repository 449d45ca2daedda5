"""The default confidence level of intervals and margins."""

CONFIDENCE = 0.95
