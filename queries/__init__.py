"""Questions: plans over the foreign-key graph, SQL and lineage, wording, acceptance, tasks."""
