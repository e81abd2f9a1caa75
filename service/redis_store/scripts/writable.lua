#!lua
-- Does nothing, and says by its first line that it may write. The server refuses it whenever it would refuse a write, for the
-- same reason: its disk, its memory, its replicas, or that it is a replica itself.
return 1
