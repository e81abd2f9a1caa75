-- Takes a challenge: it counts for the first who takes it, whenever that one asks again, and for no other.
-- KEYS  1 challenge: its end, a blank, and who has taken it     ARGV  1 who takes it  2 now
-- Returns first, again or not.
local kept = redis.call('GET', KEYS[1])
if not kept then
  return 'not'
end
local ends, taker = string.match(kept, '^(%d+) (.*)$')
if tonumber(ends) <= tonumber(ARGV[2]) then
  return 'not'
end
if taker == '' then
  redis.call('SET', KEYS[1], ends .. ' ' .. ARGV[1], 'KEEPTTL')
  return 'first'
end
return taker == ARGV[1] and 'again' or 'not'
