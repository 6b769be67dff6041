-- Second factors: an authenticator's secret, backup codes, and what was done with them.

create table two_factor (
  user_id            integer primary key references users on delete cascade,
  -- The authenticator's key, sealed for this user.
  sealed_secret      text not null,
  is_enabled         boolean not null default false,
  -- The newest 30-second step whose code counted for a log-in; no older one counts again.
  last_step          integer not null default 0,
  setup_completed_at timestamptz,
  last_used_at       timestamptz,
  created_at         timestamptz not null default now(),
  constraint two_factor_completed check (not is_enabled or setup_completed_at is not null)
);

-- Spent codes stay, so that one that is tried again is known from one that is guessed.
create table two_factor_backup_codes (
  user_id     integer not null references two_factor on delete cascade,
  fingerprint bytea not null,
  used_at     timestamptz,
  primary key (user_id, fingerprint)
);

create table two_factor_audit (
  id             bigint generated always as identity primary key,
  user_id        integer not null references users on delete cascade,
  action         text not null check (
    action in ('setup', 'enabled', 'disabled', 'verified', 'failed_verification', 'backup_codes')
  ),
  client_ip      text,
  user_agent     text,
  success        boolean not null,
  failure_reason text,
  created_at     timestamptz not null default now(),
  constraint two_factor_audit_reason check (success = (failure_reason is null))
);
create index two_factor_audit_of_user on two_factor_audit (user_id, id desc);

-- users.twofa_enabled is what everybody else reads; it can't differ from the setting itself.
create function show_two_factor() returns trigger language plpgsql as $$
begin
  update users set twofa_enabled = new.is_enabled, updated = now()
   where user_id = new.user_id and twofa_enabled is distinct from new.is_enabled;
  return null;
end $$;
create trigger two_factor_shown after insert or update of is_enabled on two_factor
  for each row execute function show_two_factor();
