-- A challenge is a text that a wallet signs. Its row binds it to a user, a client, an address and a chain, and is
-- deleted by the statement that uses it.
create table wallet_challenges (
  challenge_id   uuid primary key,
  user_id        integer not null references users on delete cascade,
  client_id      integer not null references clients on delete cascade,
  chain_id       text not null,
  wallet_address text not null,
  message        text not null,
  expires_at     timestamptz not null
);
create index wallet_challenges_of_user on wallet_challenges (user_id);
create index wallet_challenges_of_client on wallet_challenges (client_id);
create index wallet_challenges_old on wallet_challenges (expires_at);

-- A wallet whose user has signed a challenge. `reach` says where the proof holds: a key of an EVM chain signs on all of
-- them (`evm`); a contract answers for its own chain alone, since another may be at its address elsewhere.
create table proven_wallets (
  proof_id       integer generated always as identity primary key,
  user_id        integer not null references users on delete cascade,
  reach          text not null,
  chain_id       text not null,
  wallet_address text not null,
  proven_at      timestamptz not null,
  constraint proven_wallets_reach check (reach = chain_id or reach = 'evm'),
  -- One user at a time.
  constraint proven_wallets_once unique (wallet_address, reach)
);
create index proven_wallets_of_user on proven_wallets (user_id, proof_id);

alter table access_changes drop constraint access_changes_what_check;
alter table access_changes add constraint access_changes_what_check check (
  what in ('external-login-added', 'registered-externally', 'external-login-removed', 'two-factor-enabled',
    'two-factor-disabled', 'backup-codes-shown', 'email-changed', 'phone-changed', 'password-changed',
    'wallet-proven', 'wallet-proof-ended')
);

create function note_proven_wallet_change() returns trigger language plpgsql as $$
declare
  w proven_wallets;
begin
  if tg_op = 'INSERT' then w := new; else w := old; end if;
  insert into access_changes (user_id, told_to, what, detail)
  select u.user_id, u.email, case when tg_op = 'DELETE' then 'wallet-proof-ended' else 'wallet-proven' end,
         w.chain_id || ' ' || w.wallet_address
    from users u where u.user_id = w.user_id;
  return null;
end $$;
create trigger proven_wallets_change_noted after insert or delete on proven_wallets
  for each row execute function note_proven_wallet_change();
