-- Log-ins of devices, which the key of a device renews (docs/design/accounts.md).
create index users_by_phone on users (phone, client_id) where user_status = 'ACTIVE';

-- A code for a phone: it belongs to the key and network that asked for it. Unknown phones get a row too.
create table mobile_codes (
  otp_id      uuid primary key,
  -- The client whose users it may be for; null where the key serves them all.
  client_id   integer,
  phone       text not null,
  asker       text not null,
  channel     text not null check (channel in ('wa', 'sms', 'auto')),
  -- Null until it is sent.
  user_id     integer references users on delete cascade,
  fingerprint bytea,
  message_id  uuid,
  tries       integer not null default 0 check (tries >= 0),
  resend_at   timestamptz not null,
  expires_at  timestamptz not null,
  unique (phone, asker),
  check ((user_id is null) = (fingerprint is null))
);
create index mobile_codes_by_expiry on mobile_codes (expires_at);

create table mobile_devices (
  device_id     uuid primary key,
  serial        bigint generated always as identity unique,
  client_id     integer not null references clients,
  user_id       integer not null references users on delete cascade,
  -- As the app calls it.
  app_device_id uuid not null,
  name          text not null check (char_length(name) between 1 and 60),
  platform      text not null check (platform in ('ios', 'android', 'web')),
  public_key    jsonb not null,
  -- Of the key, by RFC 7638.
  thumbprint    text not null,
  push_token    text check (char_length(push_token) <= 4096),
  -- Its log-in: while that can be renewed, the device is there.
  session_id    uuid not null,
  last_network  text not null,
  created_at    timestamptz not null default service_now(),
  last_used_at  timestamptz not null default service_now(),
  removed_at    timestamptz
);
create unique index mobile_devices_once on mobile_devices (user_id, app_device_id) where removed_at is null;
create index mobile_devices_of_user on mobile_devices (user_id, serial desc);
create index mobile_devices_by_age on mobile_devices (user_id, created_at desc) where removed_at is null;
create unique index mobile_devices_by_session on mobile_devices (session_id);
create index mobile_devices_open on mobile_devices (device_id) where removed_at is null;
create index mobile_devices_removed on mobile_devices (removed_at) where removed_at is not null;

-- Of a chain only the last token is neither spent nor void.
create table refresh_tokens (
  digest     bytea primary key,
  device_id  uuid not null references mobile_devices on delete cascade,
  -- The log-in that it renews: those of earlier ones of the device count no more.
  session_id uuid not null,
  created_at timestamptz not null default service_now(),
  expires_at timestamptz not null,
  spent_at   timestamptz,
  -- Another one was given in its place before it was used.
  void_at    timestamptz,
  successor  bytea,
  check ((spent_at is null) = (successor is null))
);
create unique index refresh_tokens_live on refresh_tokens (session_id) where spent_at is null and void_at is null;
create index refresh_tokens_of_device on refresh_tokens (device_id);
create index refresh_tokens_by_expiry on refresh_tokens (expires_at);

-- Log-ins whose phone is proven and whose second factor is not.
create table mobile_logins (
  login_id   uuid primary key,
  user_id    integer not null references users on delete cascade,
  asker      text not null,
  phone      text not null,
  device     jsonb not null,
  expires_at timestamptz not null
);
create index mobile_logins_by_expiry on mobile_logins (expires_at);
create index mobile_logins_of_user on mobile_logins (user_id);

-- Proofs by the key of a device, each of which counts once.
create table device_proofs (
  mark       bytea primary key,
  expires_at timestamptz not null
);
create index device_proofs_by_expiry on device_proofs (expires_at);

-- A changed phone and a stopped user end the log-ins of all devices.
create function end_device_log_ins() returns trigger language plpgsql as $$
begin
  update sessions set revoked_at = service_now()
   where user_id = new.user_id and method = 'mobile' and revoked_at is null;
  return null;
end $$;
create trigger users_end_device_log_ins after update of phone, user_status on users
  for each row when (old.phone is distinct from new.phone
    or (old.user_status = 'ACTIVE' and new.user_status <> 'ACTIVE'))
  execute function end_device_log_ins();

create function end_device_log_ins_of_client() returns trigger language plpgsql as $$
begin
  update sessions s set revoked_at = service_now()
    from users u
   where u.client_id = new.client_id and s.user_id = u.user_id
     and s.method = 'mobile' and s.revoked_at is null;
  return null;
end $$;
create trigger clients_end_device_log_ins after update of client_status on clients
  for each row when (client_is_open(old.client_status) and not client_is_open(new.client_status))
  execute function end_device_log_ins_of_client();

alter table access_changes drop constraint access_changes_what_check;
alter table access_changes add constraint access_changes_what_check check (
  what in ('external-login-added', 'registered-externally', 'external-login-removed', 'two-factor-enabled',
    'two-factor-disabled', 'backup-codes-shown', 'email-changed', 'phone-changed', 'password-changed',
    'wallet-proven', 'wallet-proof-ended', 'device-added', 'refresh-token-reused')
);

create function note_device_added() returns trigger language plpgsql as $$
begin
  insert into access_changes (user_id, told_to, what, detail)
  select u.user_id, u.email, 'device-added', new.name || ' (' || new.platform || ')'
    from users u where u.user_id = new.user_id;
  return null;
end $$;
create trigger mobile_devices_noted after insert on mobile_devices
  for each row execute function note_device_added();
