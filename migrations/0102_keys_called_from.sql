-- From where an API key may be called, how often in a minute, and from where it was called last.
alter table api_keys
  -- Networks in the notation of CIDR; null for everywhere.
  add column allowed_ips text[] check (cardinality(allowed_ips) between 1 and 50),
  -- Null for no more than the limits that all keys have.
  add column rate_per_minute integer check (rate_per_minute between 1 and 1000),
  add column last_ip text check (length(last_ip) <= 64);

drop trigger api_keys_changed on api_keys;
create trigger api_keys_changed after delete or update of expires_at, scopes, allowed_ips, rate_per_minute on api_keys
  for each row execute function tell_identity_changed('key', 'key_hash');
