"""A layer between the real server and its disk, which records calls and lets them fail.

It is a library in C that LD_PRELOAD puts before the C library, so it sees the very calls of SQLite
with their bytes. A tracer would need rights that containers often lack, would cost far more per
call, and could not let calls fail as easily.
"""
