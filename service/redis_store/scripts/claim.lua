-- Leases what is due and tells when the next entry comes due.
-- KEYS  agendas     ARGV  1 now  2 now + lease  3 limit
-- Returns {next or false, member, due, member, due ...}.
local left = tonumber(ARGV[3])
local answer = {false}
local next_ms
for _, agenda in ipairs(KEYS) do
  if left > 0 then
    local due = redis.call('ZRANGEBYSCORE', agenda, '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, left)
    for place = 1, #due, 2 do
      redis.call('ZADD', agenda, 'XX', ARGV[2], due[place])
      answer[#answer + 1] = due[place]
      answer[#answer + 1] = tonumber(due[place + 1])
      left = left - 1
    end
  end
  local first = redis.call('ZRANGE', agenda, 0, 0, 'WITHSCORES')[2]
  if first and (not next_ms or tonumber(first) < next_ms) then
    next_ms = tonumber(first)
  end
end
answer[1] = next_ms or false
return answer
