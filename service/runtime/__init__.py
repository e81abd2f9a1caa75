"""What a process runs beside the application: embedded server, job queues, log lines, duties, backups."""
