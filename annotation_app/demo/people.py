"""Name the demo's admin, which is no account that anybody chose."""

ADMIN = "demo-admin"
