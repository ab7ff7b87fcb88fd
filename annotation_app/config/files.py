"""Say where files lie, from the settings."""

from typing import Any


def storage_of(s3: dict[str, str]) -> dict[str, Any]:
    """Return Django's description of the storage: the bucket where one is named, else the folder of MEDIA_ROOT."""
    if not s3["name"]:
        return {"BACKEND": "annotation_app.stores.folder.Folder"}
    # Its library takes a third of a second to load, which those with a folder need not wait for.
    from annotation_app.stores.bucket import bucket_options

    return {"BACKEND": "annotation_app.stores.bucket.Bucket", "OPTIONS": bucket_options(**s3)}
