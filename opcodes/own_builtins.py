"""The builtins as they were when this was imported.

A program may rebind `len` in the builtins module; what carries the program out must not notice. A module
whose functions run in between imports `OWN` as `__builtins__` from here: functions defined after that look
their builtins up in this dict.
"""

from __future__ import annotations

import builtins

OWN = dict(vars(builtins))
