
-- Removes inboxes that are not kept beyond a time, with what waits for them.
-- KEYS  1 inboxes     ARGV  1 time, or '+inf'  2... players
local gone = {}
for place = 2, #ARGV do
  local until_ms = redis.call('ZSCORE', at .. ':until', ARGV[place])
  if until_ms and (ARGV[1] == '+inf' or tonumber(until_ms) < tonumber(ARGV[1])) then
    remove(ARGV[place])
    gone[ARGV[place]] = true
  end
end
for _, packed in ipairs(redis.call('ZRANGE', at .. ':late', 0, -1)) do
  if gone[cmsgpack.unpack(packed)[1]] then
    redis.call('ZREM', at .. ':late', packed)
  end
end
return 1
