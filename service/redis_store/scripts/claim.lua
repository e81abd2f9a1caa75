-- Leases what is due, what has waited longest first, and tells when the next entry comes due. Of each agenda it reads few entries at
-- first, and more only while those that are not read yet may be among the longest waiting of all.
-- KEYS  agendas     ARGV  1 time, or '' for the server's  2 lease  3 limit
-- Returns {next or false, member, due, member, due ...}.
local now = time(ARGV[1])
local due_now = string.format('%.0f', now)
local leased = string.format('%.0f', now + tonumber(ARGV[2]))
local limit = tonumber(ARGV[3])
local function head(agenda)
  local found = redis.call('ZRANGE', agenda, 0, 0, 'WITHSCORES')
  return found[2] and tonumber(found[2])
end
local first, due, last, number = {}, {}, {}, 0
for place, agenda in ipairs(KEYS) do
  first[place] = head(agenda)
  if limit > 0 and first[place] and first[place] <= now then
    last[place] = first[place]
    number = number + 1
  end
end
local portion, offset = math.max(2, 2 * math.ceil(limit / math.max(1, number))), 0
while next(last) do
  for place in pairs(last) do
    local found = redis.call('ZRANGEBYSCORE', KEYS[place], '-inf', due_now, 'WITHSCORES', 'LIMIT', offset, portion)
    for each = 1, #found, 2 do
      due[#due + 1] = {tonumber(found[each + 1]), found[each], place}
    end
    last[place] = #found == 2 * portion and tonumber(found[#found]) or nil
  end
  table.sort(due, function(one, other) return one[1] < other[1] or (one[1] == other[1] and one[2] < other[2]) end)
  for place, at in pairs(last) do
    if due[limit] and at >= due[limit][1] then
      last[place] = nil
    end
  end
  offset, portion = offset + portion, 2 * portion
end
local answer, claimed = {false}, {}
for each = 1, math.min(limit, #due) do
  local at, member, place = unpack(due[each])
  redis.call('ZADD', KEYS[place], 'XX', leased, member)
  answer[#answer + 1] = member
  answer[#answer + 1] = at
  claimed[place] = true
end
for place in pairs(claimed) do
  first[place] = head(KEYS[place])
end
for _, at in pairs(first) do
  if not answer[1] or at < answer[1] then
    answer[1] = at
  end
end
return answer
