"""State in S3."""
