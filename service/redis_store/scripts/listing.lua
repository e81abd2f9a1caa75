-- Reads the last members of several indexes, as if they were one. Of each index it reads few at first, and more only while the
-- members that are not read yet may be among the last ones of all.
-- KEYS  indexes     ARGV  1 upper bound (as ZREVRANGEBYLEX has it)  2 limit     Returns at most that many members, the last first.
local limit = tonumber(ARGV[2])
local portion = math.max(2, 2 * math.ceil(limit / #KEYS))
local members, bounds = {}, {}
for place = 1, #KEYS do
  bounds[place] = ARGV[1]
end
while next(bounds) do
  for place, bound in pairs(bounds) do
    local found = redis.call('ZREVRANGEBYLEX', KEYS[place], bound, '-', 'LIMIT', 0, portion)
    for _, member in ipairs(found) do
      members[#members + 1] = member
    end
    bounds[place] = #found == portion and '(' .. found[portion] or nil
  end
  table.sort(members, function(one, other) return one > other end)
  for place, bound in pairs(bounds) do
    if members[limit] and bound:sub(2) <= members[limit] then
      bounds[place] = nil
    end
  end
  portion = 2 * portion
end
return {unpack(members, 1, math.min(limit, #members))}
