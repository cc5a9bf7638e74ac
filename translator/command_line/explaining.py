"""`opshift explain`: what of a call is captured, what is not and why."""

from __future__ import annotations

import contextlib
import json
import sys

from translator.command_line.grid import on_terminal
from translator.command_line.modules import check_arguments, evaluate_arguments, find_function, load_module
from translator.command_line.places import Place


def explain_call(place: Place, text: str, backend: str, calls: int, as_json: bool) -> None:
    """Runs FILE:FUNCTION compiled, with the arguments in `text`, and prints what was captured."""
    from translator.explaining import explain

    # what the program prints must not stand in the JSON
    with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
        module = load_module(place.path)
        function = find_function(module, place)
        explained = explain(function, backend=backend)
        for _ in range(calls):
            args, kwargs = evaluate_arguments(text, module)
            check_arguments(function, args, kwargs)
            found = explained(*args, **kwargs)
    if as_json:
        print(json.dumps(found.to_json(), indent=2))
    else:
        found.print(in_colours=on_terminal())
