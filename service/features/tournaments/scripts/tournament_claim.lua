-- Takes what is due, and has it come due again later.     KEYS  1 sorted set     ARGV  1 now  2 when again  3 how many at most
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, each in ipairs(due) do
  redis.call('ZADD', KEYS[1], ARGV[2], each)
end
return due
