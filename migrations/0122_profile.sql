-- What people say of themselves, and changes of their address and phone (docs/design/accounts.md).
create table profiles (
  user_id       integer primary key references users on delete cascade,
  first_name    text check (char_length(first_name) between 1 and 100),
  last_name     text check (char_length(last_name) between 1 and 100),
  locale        text check (locale in ('en', 'id')),
  time_zone     text check (char_length(time_zone) between 1 and 64),
  prefers_email boolean not null default true,
  prefers_sms   boolean not null default true,
  prefers_push  boolean not null default true,
  version       integer not null default 1 check (version > 0),
  updated_at    timestamptz not null default service_now()
);

-- A new address that its owner wants, by a link to the new one; the old one can undo it for 72 hours.
create table email_changes (
  change_id      uuid primary key,
  serial         bigint generated always as identity unique,
  user_id        integer not null references users on delete cascade,
  old_email      text not null,
  new_email      text not null,
  digest         bytea not null unique,
  undo_digest    bytea not null unique,
  confirms_until timestamptz not null,
  undo_until     timestamptz not null,
  created_at     timestamptz not null default service_now(),
  -- Whichever comes first; one that another took the place of is over.
  confirmed_at   timestamptz,
  over_at        timestamptz
);
create unique index email_changes_pending on email_changes (user_id) where confirmed_at is null and over_at is null;
create index email_changes_of_user on email_changes (user_id, serial desc);
create index email_changes_by_age on email_changes (undo_until);

-- A new phone that its owner wants, by a code to it; the code belongs to the key and network that asked.
create table phone_changes (
  user_id     integer primary key references users on delete cascade,
  otp_id      uuid not null unique,
  asker       text not null,
  new_phone   text not null,
  fingerprint bytea not null,
  tries       integer not null default 0 check (tries >= 0),
  resend_at   timestamptz not null,
  expires_at  timestamptz not null
);
create index phone_changes_by_expiry on phone_changes (expires_at);

create index activity_of_actor on activity_log (actor_user_id, id desc);
