-- Claims notices that are due, until a time at which others may have them.
-- KEYS  1 notices     ARGV  1 now  2 until when  3 how many  4 due or due-mail     Returns each notice and how often it was claimed.
local at = KEYS[1]
local due = at .. ':' .. ARGV[4]
local found = {}
for _, id in ipairs(redis.call('ZRANGEBYSCORE', due, '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])) do
  local notice = redis.call('HGET', at .. ':waiting', id)
  if notice then
    redis.call('ZADD', due, ARGV[2], id)
    found[#found + 1] = notice
    found[#found + 1] = redis.call('HINCRBY', at .. ':tries', id, 1)
  else
    redis.call('ZREM', due, id)
  end
end
return found
