-- Deletes what a player has chosen, and when it was there.
-- KEYS  1 notices     ARGV  1 player
local at = KEYS[1]
redis.call('HDEL', at .. ':of', ARGV[1])
redis.call('HDEL', at .. ':revisions', ARGV[1])
redis.call('ZREM', at .. ':seen', ARGV[1])
return 1
