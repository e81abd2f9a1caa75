-- Takes a member out of a sorted set. Returns its score, or nothing if it is not there.     KEYS  1 sorted set     ARGV  1 member
local score = redis.call('ZSCORE', KEYS[1], ARGV[1])
redis.call('ZREM', KEYS[1], ARGV[1])
return score
