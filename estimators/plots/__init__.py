"""Figures that leave the system: simulated surveys drawn for a paper, as svg, png or pdf."""
