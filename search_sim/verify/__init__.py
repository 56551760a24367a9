"""Rule-based verifiers of the search environment: controllability, and long-context consistency."""
