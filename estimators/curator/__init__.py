"""What a curator who is trusted with the plain answers can publish with an epsilon (math 10).

A local survey needs no curator. This room is for comparisons, and for data that one party holds
already. Noise on real people's answers is made of integers and secure words only.
"""
