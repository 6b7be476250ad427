"""The texts that go with what is packed: licences of everybody else's work, the bill of materials."""

from __future__ import annotations

import datetime
import json
import uuid
from collections.abc import Iterable, Sequence
from typing import Any, Final

from installer.bundled import Component
from installer.plan import NAME, Plan

RULE: Final = "=" * 100
SPECIFICATION: Final = "1.6"
"""Version of CycloneDX; https://cyclonedx.org/docs/1.6/json/ describes its fields."""


def third_party(components: Sequence[Component]) -> str:
    """Return one text with every licence: a table, then the texts in the same order."""
    width = max(len(each.name) for each in components)
    lines = ["Desk Assistant carries the work of many others, each under its own licence.", ""]
    lines += [f"{each.name:<{width}}  {each.version:<14}  {each.licence}" for each in components]
    for each in components:
        lines += ["", RULE, f"{each.name} {each.version}", f"Licence: {each.licence}", RULE]
        if not each.texts:
            lines.append("Its makers pack no text with it; the licence above is the one they declare.")
        for title, text in each.texts.items():
            lines += ["", f"--- {title}", "", text.rstrip()]
    return "\n".join(lines) + "\n"


def debian_copyright(plan: Plan, components: Sequence[Component]) -> str:
    """Return Debian's machine-readable copyright file: ours, and where everybody else's is."""
    year = datetime.datetime.fromtimestamp(plan.epoch, datetime.UTC).year
    others = "\n".join(f"  {each.name} {each.version}: {each.licence}" for each in components)
    return (
        "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
        f"Upstream-Name: {NAME}\n"
        "\n"
        "Files: *\n"
        f"Copyright: {year} The Desk Assistant authors\n"
        "License: Apache-2.0\n"
        " On Debian systems the full text is in /usr/share/common-licenses/Apache-2.0.\n"
        "Comment:\n"
        f" The full texts of all licences are in /opt/{NAME}/share/doc/THIRD-PARTY.txt. Carried along:\n"
        f"{others}\n"
    )


def materials(plan: Plan, components: Iterable[Component]) -> str:
    """Return the software bill of materials in CycloneDX's JSON."""
    listed = list(components)
    by_name = {each.name.lower().replace("_", "-").replace(".", "-"): each.purl for each in listed}
    own = f"pkg:generic/{NAME}@{plan.version}"
    digest = uuid.uuid5(uuid.NAMESPACE_URL, own + "".join(sorted(each.purl for each in listed)))
    when = datetime.datetime.fromtimestamp(plan.epoch, datetime.UTC)
    needed = {name for each in listed for name in each.needs}
    document: dict[str, Any] = {
        "$schema": f"http://cyclonedx.org/schema/bom-{SPECIFICATION}.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": SPECIFICATION,
        "serialNumber": f"urn:uuid:{digest}",
        "version": 1,
        "metadata": {
            "timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": NAME,
                "version": plan.version,
                "licenses": [{"license": {"id": "Apache-2.0"}}],
            },
        },
        "components": [_described(each) for each in listed],
        "dependencies": [
            {"ref": own, "dependsOn": sorted(purl for name, purl in by_name.items() if name not in needed)},
            *({"ref": each.purl, "dependsOn": sorted(by_name[name] for name in each.needs)} for each in listed),
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _described(component: Component) -> dict[str, Any]:
    described: dict[str, Any] = {
        "type": component.kind,
        "bom-ref": component.purl,
        "name": component.name,
        "version": component.version,
        "purl": component.purl,
        "licenses": [{"license": {"name": component.licence}}],
    }
    if component.sha256:
        described["hashes"] = [{"alg": "SHA-256", "content": component.sha256}]
    return described
