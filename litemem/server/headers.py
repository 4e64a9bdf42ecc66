"""The headers that every response has, for an API and for a page."""

from __future__ import annotations

from typing import Final

# No inline script or style, nothing from elsewhere, no frame around it, and no text that becomes
# HTML or script: where a browser knows trusted types, it refuses that whatever our code does.
PAGE_POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
    )
)
_COMMON: Final = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-store",
}
API_HEADERS: Final = {
    **_COMMON,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
}
PAGE_HEADERS: Final = {**_COMMON, "content-security-policy": PAGE_POLICY}
