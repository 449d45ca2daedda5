"""What a curator trusted with the plain answers could publish with the same epsilon (math 10).

To compare with, in simulations only. Floating-point noise gives answers away through its last bits,
so nothing here may ever touch real answers; and Candor has no curator.
"""
