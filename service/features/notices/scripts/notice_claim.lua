-- Claims notices that are due, until a time at which others may have them.
-- KEYS  1 notices     ARGV  1 now  2 until when  3 how many     Returns each notice and how often it was claimed.
local at = KEYS[1]
local found = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', at .. ':due', '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])) do
  local notice = redis.call('HGET', at .. ':waiting', id)
  if notice then
    redis.call('ZADD', at .. ':due', ARGV[2], id)
    found[#found + 1] = notice
    found[#found + 1] = redis.call('HINCRBY', at .. ':tries', id, 1)
  else
    redis.call('ZREM', at .. ':due', id)
  end
end
return found
