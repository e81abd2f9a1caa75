-- Goes before every script: refuses to touch the data of another deployment. The caller's last argument is the sha1 of its id
-- key and what follows 'deployment' in the name of the key that has it in this slot; or ''. In a slot of a cluster the last key is
-- one that never exists (`keys.absent`).
local deployment = table.remove(ARGV)
if #deployment > 40 then
  table.remove(KEYS)
end
local name = 'deployment' .. string.sub(deployment, 41)
if deployment ~= '' and redis.sha1hex(redis.call('HGET', name, 'id_key') or '') ~= string.sub(deployment, 1, 40) then
  return redis.error_reply('REPLACED the data is that of another deployment')
end
