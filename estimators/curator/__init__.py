"""What a curator who is trusted with the plain answers can publish with an epsilon (math 10).

A local survey needs no curator: this room is for comparing, and for data that is in one hand
already. Noise on answers of real people is made of integers and secure words only.
"""
