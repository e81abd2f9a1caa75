-- Reads the first members, backwards, of several indexes.
-- KEYS  indexes     ARGV  1 upper bound (as ZREVRANGEBYLEX has it)  2 limit for each index     Returns the members, not merged.
local members = {}
for _, index in ipairs(KEYS) do
  for _, member in ipairs(redis.call('ZREVRANGEBYLEX', index, ARGV[1], '-', 'LIMIT', 0, ARGV[2])) do
    members[#members + 1] = member
  end
end
return members
