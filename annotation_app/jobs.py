"""Light Celery entry points: imports, exports, reports. Their own queue and worker; torch is never imported here."""
