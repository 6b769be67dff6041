-- Proving who somebody is: from which network and with which API key it was begun, and with whose password.

-- A password that was proven waits for its second factor where it was proven, and nowhere else. Those
-- that wait already live ten minutes at most, and are begun anew.
delete from login_challenges;
alter table login_challenges alter column key_id set not null;
alter table login_challenges add column network text not null;
drop index login_challenges_open;
create index login_challenges_open
  on login_challenges (user_id, key_id, network, created_at desc) where consumed_at is null;

-- The networks that a user last logged in from: whoever guesses at the password elsewhere changes
-- nothing there. Of the log-ins before this table those by IPv4 are known.
create table user_networks (
  user_id   integer not null references users on delete cascade,
  network   text not null,
  last_seen timestamptz not null,
  primary key (user_id, network)
);
create index user_networks_old on user_networks (last_seen);
insert into user_networks (user_id, network, last_seen)
  select user_id, network, last_seen from (
    select user_id, network, max(created_at) as last_seen,
           row_number() over (partition by user_id order by max(created_at) desc) as place
      from (select user_id, created_at, substring(ip from '(\d+\.\d+\.\d+\.\d+)$') as network
              from sessions where user_id is not null) s
     where network is not null
     group by user_id, network) n
   where place <= 20;

-- Passwords that we made and mailed: until they are changed, and not for long where nobody uses them.
create table temporary_passwords (
  user_id   integer primary key references users on delete cascade,
  lapses_at timestamptz not null,
  used_at   timestamptz
);
create index temporary_passwords_unused on temporary_passwords (lapses_at) where used_at is null;

-- The API key somebody logged in with: its application knows them. No foreign key, since ids of keys
-- come only once, and deleting a key should not have to look through all sessions.
alter table sessions add column key_id integer;
create index sessions_by_key on sessions (user_id, key_id, expires_at)
  where key_id is not null and revoked_at is null;

-- A code belongs to whoever asked for it, an API key in a network: nobody else replaces it or uses its
-- tries up. Codes live ten minutes at most, so those of before are asked for anew.
delete from phone_codes;
alter table phone_codes add column asker text not null;
alter table phone_codes drop constraint phone_codes_pkey;
alter table phone_codes add primary key (phone, purpose, asker);
delete from userx_email_codes;
alter table userx_email_codes add column asker text not null;
alter table userx_email_codes drop constraint userx_email_codes_pkey;
alter table userx_email_codes add primary key (userx_id, asker);
delete from user_otps;
alter table user_otps add column asker text not null;
alter table user_otps drop constraint user_otps_pkey;
alter table user_otps add primary key (user_id, purpose, asker);
