-- Adds a passkey, unless it is there or there are too many. Repeated, it is added as before.
-- KEYS  1 passkeys of a player     ARGV  1 id  2 passkey  3 how many there may be
-- Returns now, before or full.
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if kept then
  return kept == ARGV[2] and 'now' or 'before'
end
if redis.call('HLEN', KEYS[1]) >= tonumber(ARGV[3]) then
  return 'full'
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 'now'
