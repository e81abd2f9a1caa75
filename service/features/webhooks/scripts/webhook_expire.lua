-- Drops what has waited for too long.
-- KEYS  1 webhooks     ARGV  1 now  2 before which time  3 most of each  4... webhooks     Returns how many were dropped.
local dropped = 0
for place = 4, #ARGV do
  local id = ARGV[place]
  for weight = OVER, LIFE do
    local first, last = string.format('%.0f', weight * WEIGHT), string.format('(%.0f', weight * WEIGHT + tonumber(ARGV[2]))
    for _, delivery in ipairs(redis.call('ZRANGEBYSCORE', of('ranks', id), first, last, 'LIMIT', 0, ARGV[3])) do
      drop(id, delivery, ARGV[1])
      dropped = dropped + 1
    end
  end
  count(id)
  schedule(id)
end
return dropped
