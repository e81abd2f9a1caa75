"""Talk: what players say to each other in the waiting room and at the table, and spectators among themselves."""
