"""Texts for ethics boards, data protection officers and journals, from a survey's own figures."""
