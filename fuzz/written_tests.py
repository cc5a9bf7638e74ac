"""A finding as a pytest file: it fails as long as the finding does."""

from __future__ import annotations

from fuzz.findings import from_data
from fuzz.store import Kept

_FILE = '''"""{title}.

Found by a campaign: {target} on CPython {pythons}.
"""

from __future__ import annotations

import pytest

{imports}
SCRIPT = r"""
{script}"""


def test_finding_{number}():
{body}
'''

_BODY = """    found = runner({target!r})(from_script(SCRIPT))
    if found is not None:
        pytest.fail(found.report(), pytrace=False)"""

_CROSS = """    found = crossed(SCRIPT, {python!r}, {host!r})
    if found is not None:
        pytest.fail(f"{{found.title}}\\n{{found.difference}}\\n{{found.got}}", pytrace=False)"""


def test_file(kept: Kept) -> str:
    """The file's text."""
    finding = kept.finding
    script = from_data(finding.program).script()
    raw = '"""' not in script and not script.endswith("\\")
    cross = finding.target == "cross"
    text = _FILE.format(
        title=" ".join(finding.title.split()).rstrip("."),
        target=finding.target,
        pythons=", ".join(kept.pythons),
        imports="from fuzz.pairs import crossed\n"
        if cross
        else "from fuzz.generated import from_script\nfrom fuzz.trials import runner\n",
        script=script if raw else "",
        number=kept.number,
        body=_CROSS.format(python=finding.python, host=finding.host)
        if cross
        else _BODY.format(target=finding.target),
    )
    if raw:
        return text
    return text.replace('r"""\n"""', repr(script))
