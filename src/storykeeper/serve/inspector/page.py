"""The page itself: files that come with us, and nothing from anywhere else."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from pathlib import Path

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from storykeeper.serve.refusal import Refused

router = APIRouter(include_in_schema=False)
PAGE = "/inspect"
FOLDER = Path(__file__).parent / "static"
KINDS = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml",
}  # fmt: skip
VENDOR = "vendor"  # of others, and kept as they are
# A browser finds no module by its bare name without a map in the page, which would be inline.
BARE, NAMED = b'from"preact"', b'from"./preact.js"'
POLICY = "; ".join((
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data: blob:",
    "connect-src 'self'", "font-src 'self'", "base-uri 'none'", "form-action 'none'",
    "frame-ancestors 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'",
))  # fmt: skip
HEADERS = {
    "content-security-policy": POLICY, "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer", "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin", "cache-control": "no-cache",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}  # fmt: skip


def is_page(path: str) -> bool:
    """Whether an address is of the page: it is the same for everybody, and needs no key."""
    return path == PAGE or path.startswith(f"{PAGE}/")


@cache
def files() -> dict[str, Path]:
    """Every file of the page, by its address below it. Nothing else is ever read."""
    found = (path for path in FOLDER.rglob("*") if path.suffix in KINDS)
    return {path.relative_to(FOLDER).as_posix(): path for path in found}


@router.get(PAGE)
async def slash() -> Response:
    """The same with what its files are below."""
    return RedirectResponse(f"{PAGE}/")


@router.get(f"{PAGE}/")
async def page() -> Response:
    """The page. It has no word of a story in it: that it asks for, with the key it was given."""
    return _sent("index.html")


@router.get(PAGE + "/{name:path}")
async def asset(name: str) -> Response:
    """A file of the page."""
    return _sent(name)


def _sent(name: str) -> Response:
    path = files().get(name)
    if path is None:
        raise Refused(HTTPStatus.NOT_FOUND, "not-found", "the page has no such file")
    body = path.read_bytes()
    if path.parent.name == VENDOR:
        body = body.replace(BARE, NAMED)
    return Response(body, media_type=KINDS[path.suffix], headers=HEADERS)
