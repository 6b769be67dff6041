-- Nobody becomes somebody else: what others ask for in a user's name waits for that user, every change
-- of how one gets in is told, and what was added since the last reset of the password can be undone.

-- Changes that wait. An admin's takes effect by the link that was mailed to the user's address, and
-- lapses without; an operator's by itself when its time has come, unless the user objects.
create table pending_changes (
  change_id       integer generated always as identity primary key,
  user_id         integer not null references users on delete cascade,
  kind            text not null check (
    kind in ('email', 'external-login', 'wallet', 'second-factor-removal')
  ),
  -- What it is about: an address, an account of the external provider, a wallet; empty for none.
  subject         text not null check (length(subject) <= 255),
  -- The account of the external provider that nobody logs in with until this is decided.
  ext_user_id     text,
  details         jsonb not null default '{}',
  -- Of the link's token.
  digest          bytea not null,
  proposed_by     integer references users on delete set null,
  created_at      timestamptz not null,
  expires_at      timestamptz not null,
  takes_effect_at timestamptz,
  constraint pending_changes_once unique (user_id, kind, subject),
  constraint pending_changes_link unique (digest),
  constraint pending_changes_in_time check (takes_effect_at < expires_at)
);
create index pending_changes_of_account on pending_changes (ext_user_id)
  where ext_user_id is not null;
create index pending_changes_due on pending_changes (takes_effect_at)
  where takes_effect_at is not null;
create index pending_changes_old on pending_changes (expires_at);

-- What is still to be told, and to which address: that of the moment before. The tables themselves
-- write it, so that no statement, whoever sends it, changes how somebody gets in unnoticed.
create table access_changes (
  id      bigint generated always as identity primary key,
  user_id integer not null references users on delete cascade,
  told_to text not null,
  what    text not null check (
    what in ('external-login-added', 'registered-externally', 'external-login-removed', 'two-factor-enabled',
      'two-factor-disabled', 'backup-codes-shown', 'email-changed', 'phone-changed',
      'password-changed')
  ),
  detail  text
);
create index access_changes_of_user on access_changes (user_id, id);

create function note_user_change() returns trigger language plpgsql as $$
begin
  insert into access_changes (user_id, told_to, what)
  select new.user_id, old.email, changed.what
    from (values
      ('email-changed', old.email <> new.email),
      ('phone-changed', old.phone is distinct from new.phone),
      -- A password that is taken away lets nobody in.
      ('password-changed', new.password_hash is not null
        and old.password_hash is distinct from new.password_hash)
    ) changed(what, indeed)
   where changed.indeed;
  return null;
end $$;
create trigger users_change_noted after update of email, phone, password_hash on users
  for each row execute function note_user_change();

create function note_mapping_change() returns trigger language plpgsql as $$
declare
  m ext_mappings;
begin
  if tg_op = 'INSERT' then m := new; else m := old; end if;
  -- Nobody is told about a user who goes as a whole.
  insert into access_changes (user_id, told_to, what, detail)
  select u.user_id, u.email,
         case when tg_op = 'DELETE' then 'external-login-removed'
              when m.by_registration then 'registered-externally'
              else 'external-login-added' end,
         concat_ws(' ', m.auth_provider, m.wallet_address)
    from users u where u.user_id = m.user_id;
  return null;
end $$;
create trigger ext_mappings_change_noted after insert or delete on ext_mappings
  for each row execute function note_mapping_change();

create function note_two_factor_change() returns trigger language plpgsql as $$
begin
  insert into access_changes (user_id, told_to, what)
  select u.user_id, u.email,
         case when new.is_enabled then 'two-factor-enabled' else 'two-factor-disabled' end
    from users u where u.user_id = new.user_id;
  return null;
end $$;
create trigger two_factor_change_noted after update of is_enabled on two_factor
  for each row when (old.is_enabled is distinct from new.is_enabled)
  execute function note_two_factor_change();

-- Since when what was added is listed when the password is forgotten again.
alter table users add column password_reset_at timestamptz;

-- What an account was registered with is no addition to it.
alter table ext_mappings add column by_registration boolean not null default false;
update ext_mappings m set by_registration = true
  from activity_log a
 where a.action = 'EXTERNAL_LOGIN_REGISTERED' and a.subject_user_id = m.user_id
   and a.details ->> 'ext_user_id' = m.ext_user_id
   and m.id = (select min(first.id) from ext_mappings first where first.user_id = m.user_id);

-- Codes that can be shown again until they are used. Of those made before only marks were kept.
alter table two_factor_backup_codes add column sealed_code text;
alter table two_factor_backup_codes
  add constraint two_factor_backup_codes_spent check (used_at is null or sealed_code is null);

-- A device shows one person's notifications: the newest of those who share one keeps it.
update userx x set device_token = null
 where exists (select from userx other
    where other.device_token = x.device_token and other.userx_id > x.userx_id);
drop index userx_of_device;
create unique index userx_device_once on userx (device_token) where device_token is not null;
