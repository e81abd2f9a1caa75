-- Reads rows of several shards.     KEYS  the rows of each match's shard     ARGV  the matches     Returns each row, or false.
local rows = {}
for place, shard in ipairs(KEYS) do
  rows[place] = redis.call('HGET', shard, ARGV[place])
end
return rows
