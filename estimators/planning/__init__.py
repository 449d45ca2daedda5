"""What a survey will be able to say, before anybody is asked."""
