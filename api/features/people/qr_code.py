"""Links as QR codes, for the camera of a phone."""

from __future__ import annotations

import io

import segno


def qr_code(link: str) -> str:
    """Return a link as a QR code, in SVG."""
    out = io.BytesIO()
    segno.make_qr(link, error="m").save(out, kind="svg", xmldecl=False, svgclass=None, lineclass=None, omitsize=True, nl=False)
    return out.getvalue().decode()
