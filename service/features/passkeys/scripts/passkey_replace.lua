-- Replaces a passkey that is as it was before. Repeated, it is replaced as before.
-- KEYS  1 passkeys of a player     ARGV  1 id  2 passkey before  3 passkey after
local kept = redis.call('HGET', KEYS[1], ARGV[1])
if kept ~= ARGV[2] then
  return kept == ARGV[3] and 1 or 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
