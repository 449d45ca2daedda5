"""What readers of published figures learn about one person."""
