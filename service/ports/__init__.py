"""What the service needs of a store: one small protocol for each module, with the records that it takes and gives."""
