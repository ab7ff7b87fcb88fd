"""Keep files where the settings say: in a folder of this machine, or in a bucket of an S3 server."""
