"""The content security policies of all responses, and the browser features that no page uses.

`calendar_site.middleware.security_headers` adds DEFAULT_POLICY or ADMIN_POLICY to responses that have no policy of
their own. The policy of a page is a constant or a function here, and the page sets it.
"""

from __future__ import annotations

HEADER = "Content-Security-Policy"


def _join(*, default_src: str = "'none'", form_action: str = "'none'", **directives: str) -> str:
    """Return a policy that allows these sources only, and no other site to frame the page."""
    policy = {
        "default-src": default_src,
        **{name.replace("_", "-"): sources for name, sources in directives.items()},
        "base-uri": "'none'",
        "form-action": form_action,
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {sources}" for name, sources in policy.items())


# API responses, static files, redirects: browsers show them, but load nothing for them.
DEFAULT_POLICY = _join()

# Whatever type a browser detects in an image, it must not run scripts.
IMAGE_POLICY = "default-src 'none'; sandbox"

# No inline script runs. Alpine.js, which the theme uses, compiles the attributes of its templates, so it needs
# 'unsafe-eval'; the theme and the editor set styles in attributes (docs/decisions/0038-content-security-policy.md).
# Descriptions in the editor may show images of other sites, and maps show tiles.
ADMIN_POLICY = _join(
    script_src="'self' 'unsafe-eval'",
    style_src="'self' 'unsafe-inline'",
    img_src="'self' data: blob: http: https:",
    font_src="'self'",
    connect_src="'self'",
    form_action="'self'",
)

# Camera and microphone are examples of what a script from elsewhere would ask for.
PERMISSIONS_POLICY = ", ".join(
    f"{feature}=()"
    for feature in (
        "accelerometer", "autoplay", "camera", "display-capture", "geolocation", "gyroscope", "magnetometer",
        "microphone", "midi", "payment", "publickey-credentials-get", "screen-wake-lock", "usb", "xr-spatial-tracking",
    )
)  # fmt: skip
# The calendar asks visitors for their position if they look for events near them.
CALENDAR_PERMISSIONS_POLICY = PERMISSIONS_POLICY.replace("geolocation=()", "geolocation=(self)")


def page_policy(*, has_form: bool, has_script: bool = False, style_hash: str = "") -> str:
    """Return the policy of a public page, which has no script but its own. Descriptions may show images of others.

    `style_hash` is the SHA-256 hash of a style element, in Base64.
    """
    sources = {"script_src": "'self'"} if has_script else {}
    return _join(
        **sources,
        style_src=f"'self' 'sha256-{style_hash}'" if style_hash else "'self'",
        img_src="'self' http: https:",
        manifest_src="'self'",
        form_action="'self'" if has_form else "'none'",
    )


def with_own_frames(policy: str) -> str:
    """Return the policy of a page with pages of this site in frames."""
    return f"{policy}; frame-src 'self'"


def with_puzzle(policy: str) -> str:
    """Return the policy of a page whose form has a puzzle of ALTCHA, which runs in a worker and sets its own style."""
    directives = [directive for directive in policy.split("; ") if not directive.startswith("style-src")]
    return "; ".join([*directives, "style-src 'self' 'unsafe-inline'", "connect-src 'self'", "worker-src blob:"])


def console_policy(api_origin: str) -> str:
    """Return the policy of the API console, which sends requests to the origin of the API."""
    # The style sheet of Swagger UI contains its icons.
    return _join(script_src="'self'", style_src="'self'", img_src="'self' data:", connect_src=f"'self' {api_origin}")


def docs_policy(script_hashes: set[str]) -> str:
    """Return the policy of a page of the documentation, whose inline scripts have these SHA-256 hashes."""
    hashes = "".join(f" 'sha256-{value}'" for value in sorted(script_hashes))
    return _join(
        default_src="'self'",
        script_src=f"'self'{hashes}",
        style_src="'self' 'unsafe-inline'",
        img_src="'self' data:",
        form_action="'self'",
    )
