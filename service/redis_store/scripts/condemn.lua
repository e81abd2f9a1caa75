-- Finds blobs that have been leftovers for long enough, and condemns them: from now on none can become an archive.
-- KEYS  1 leftovers     ARGV  1 age in milliseconds  2 most     Returns their keys.
local old = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', time('') - tonumber(ARGV[1]), 'LIMIT', 0, ARGV[2])
for _, key in ipairs(old) do
  redis.call('ZADD', KEYS[1], 0, key)
end
return old
