"""The auditor's tool: checks records, logs and what players have kept, of services that run anywhere."""
