-- Upkeep forgets sessions long after they have lapsed, thousands at a time, and told every process of each: three
-- quarters of the time that it took, and a look into the cache of each process for every one. Nobody believes a session
-- that has lapsed, whether it is remembered or not; harmless beside the version before, which asks the time as well.
drop trigger sessions_changed on sessions;
create trigger sessions_changed after update of revoked_at on sessions
  for each row execute function tell_identity_changed('session', 'session_id');
create trigger sessions_gone after delete on sessions
  for each row when (old.expires_at > service_now())
  execute function tell_identity_changed('session', 'session_id');
