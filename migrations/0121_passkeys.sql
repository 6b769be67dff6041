-- Passkeys (WebAuthn): public keys of authenticators, by which people log in and prove operations.
create table passkeys (
  passkey_id    uuid primary key,
  serial        bigint generated always as identity unique,
  client_id     integer not null references clients,
  user_id       integer not null references users on delete cascade,
  credential_id text not null unique,
  public_key    bytea not null,
  -- The authenticator's count of its signatures; 0 where it has none.
  sign_count    bigint not null check (sign_count >= 0),
  transports    text[] not null default '{}',
  is_synced     boolean not null,
  name          text not null check (char_length(name) between 1 and 60),
  created_at    timestamptz not null default service_now(),
  last_used_at  timestamptz
);
create index passkeys_of_user on passkeys (user_id, serial desc);
create index passkeys_by_age on passkeys (user_id, created_at desc);

-- What an authenticator is asked to sign, once; it belongs to the key and network that asked.
create table passkey_challenges (
  challenge_id uuid primary key,
  purpose      text not null check (purpose in ('register', 'log-in')),
  challenge    bytea not null check (length(challenge) = 32),
  asker        text not null,
  user_id      integer references users on delete cascade,
  expires_at   timestamptz not null,
  check ((purpose = 'register') = (user_id is not null))
);
create index passkey_challenges_by_expiry on passkey_challenges (expires_at);
create index passkey_challenges_of_user on passkey_challenges (user_id) where user_id is not null;

-- A proof of an operation by a passkey keeps what the authenticator has signed.
alter table step_ups drop constraint step_ups_method_check;
alter table step_ups add constraint step_ups_method_check check (method in ('two_factor', 'password', 'passkey'));
alter table step_ups add column evidence jsonb;
alter table step_ups add constraint step_ups_evidence check ((method = 'passkey') = (evidence is not null));

alter table access_changes drop constraint access_changes_what_check;
alter table access_changes add constraint access_changes_what_check check (
  what in ('external-login-added', 'registered-externally', 'external-login-removed', 'two-factor-enabled',
    'two-factor-disabled', 'backup-codes-shown', 'email-changed', 'phone-changed', 'password-changed',
    'wallet-proven', 'wallet-proof-ended', 'device-added', 'refresh-token-reused', 'passkey-added',
    'passkey-removed', 'passkey-copied')
);

create function note_passkey_change() returns trigger language plpgsql as $$
declare
  p passkeys;
begin
  if tg_op = 'INSERT' then p := new; else p := old; end if;
  insert into access_changes (user_id, told_to, what, detail)
  select u.user_id, u.email, case when tg_op = 'DELETE' then 'passkey-removed' else 'passkey-added' end, p.name
    from users u where u.user_id = p.user_id;
  return null;
end $$;
create trigger passkeys_change_noted after insert or delete on passkeys
  for each row execute function note_passkey_change();
