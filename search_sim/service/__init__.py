"""The service: episodes over HTTP."""
