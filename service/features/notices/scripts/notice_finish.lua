-- Notes that a notice is done.
-- KEYS  1 notices     ARGV  1 id  2 now
local at = KEYS[1]
redis.call('ZREM', at .. ':due', ARGV[1])
redis.call('ZREM', at .. ':due-mail', ARGV[1])
redis.call('HDEL', at .. ':waiting', ARGV[1])
redis.call('HDEL', at .. ':tries', ARGV[1])
redis.call('ZADD', at .. ':done', ARGV[2], ARGV[1])
return 1
