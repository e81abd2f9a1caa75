-- Replaces a player, or what the operator of a program has stated, if it is still what the caller has read.
-- The same again counts as written: a lost reply makes the caller ask again.
-- KEYS  1 player or program     ARGV  1 before, or ''  2 after
-- Returns 1, or 0 if nothing was written.
local now = redis.call('GET', KEYS[1]) or ''
if now ~= ARGV[2] then
  if now ~= ARGV[1] then
    return 0
  end
  redis.call('SET', KEYS[1], ARGV[2])
end
return 1
