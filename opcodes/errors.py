"""The errors of `opcodes`: each is one line that says what, where, why and what to do."""

from __future__ import annotations


class OpcodesError(Exception):
    """Whatever `opcodes` refuses. Its text is one line meant for a user."""


class UnknownVersion(OpcodesError):
    """A CPython version for which there is no opcode table."""


class BadBytecode(OpcodesError):
    """A code object whose bytecode does not follow its version's table."""


class BadPyc(OpcodesError):
    """A `.pyc` file that is missing, truncated, corrupt or of an unknown magic number."""


class CannotEncode(OpcodesError):
    """A Program that the host's bytecode cannot express."""


class CannotSplice(OpcodesError):
    """Instructions may not be put in at this index (inside an atomic group, out of range)."""


class TableError(OpcodesError):
    """An opcode table, or a class dispatching on one, that contradicts itself (raised at import)."""
