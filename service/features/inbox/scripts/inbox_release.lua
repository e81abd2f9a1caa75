
-- Moves notices that have come due into their inboxes, and returns how many.
-- KEYS  1 inboxes     ARGV  1 now  2 room of each  3 room in all  4 how many at most
local due = redis.call('ZRANGEBYSCORE', at .. ':late', '-inf', ARGV[1], 'LIMIT', 0, ARGV[4])
for _, packed in ipairs(due) do
  local player, _, _, bodies = unpack(cmsgpack.unpack(packed))
  redis.call('ZREM', at .. ':late', packed)
  if redis.call('EXISTS', of('head', player)) == 1 then
    append(player, bodies, ARGV[2], ARGV[3])
  end
end
return #due
