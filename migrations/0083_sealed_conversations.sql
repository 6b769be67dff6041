-- What people write to the agent is sealed: they paste the words of their wallets. A conversation lives for an hour,
-- so those that lie open are forgotten and not sealed. The version before writes `state` and reads nothing else; this
-- version empties it with each write and takes no row in which it is set.
delete from agent_conversations;
alter table agent_conversations
  alter column state drop not null,
  add column sealed_state text,
  add constraint agent_conversations_sealed_bounded check (length(sealed_state) <= 64000),
  add constraint agent_conversations_has_state check (num_nonnulls(state, sealed_state) > 0);

-- The chain that a wallet was made for: it supports that one before it has an address there.
alter table crypto_wallets add column made_for_chain text;
update crypto_wallets set made_for_chain = case
  when wallet_label like '%(Ethereum)' then 'sepolia'
  when wallet_label like '%(Polygon)' then 'amoy'
  when wallet_label like '%(Neon)' then 'neon' end;
