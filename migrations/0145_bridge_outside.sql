-- The bridge from the EVM chains to Cardano and the XRP Ledger (docs/design/cross-chain.md, 113).

insert into chain_families (family, address, token, transaction) values
  ('cardano', '^addr(_test)?1[02-9ac-hj-np-z]{20,140}$', '^[0-9a-f]{56,120}$', '^[0-9a-f]{64}$'),
  ('xrpl', '^r[1-9A-HJ-NP-Za-km-z]{24,34}$', '^[0-9A-Za-z]{3,40}$', '^[0-9A-F]{64}$');
insert into chains (chain_id, family, name, network, coin, explorer_url) values
  ('cardano', 'cardano', 'Cardano', 'Cardano Preprod', 'ADA', 'https://preprod.cardanoscan.io'),
  ('xrpl', 'xrpl', 'XRPL', 'XRP Ledger Testnet', 'XRP', 'https://testnet.xrpl.org');

insert into bridge_routes (route_id, from_chain, to_chain, daily_cap)
select f || '-' || t, f, t, 1000000000000
from unnest(array['sepolia', 'amoy', 'neon']) f, unnest(array['cardano', 'xrpl']) t;
insert into bridge_modes (route_id, mode, fee_bps, fee_least, least, most)
select route_id, 'standard', 10, 100000, 1000000, 10000000000
from bridge_routes where to_chain in ('cardano', 'xrpl');

alter table bridge_transfers
  alter column leg_id drop not null,
  -- Whose it is at the recipient's address, where the ledger knows tags.
  add column recipient_tag bigint check (recipient_tag between 0 and 4294967295),
  add column mint_attempt integer not null default 1 check (mint_attempt > 0),
  -- Between two EVM chains another transfer carries it; to the others the treasury takes it in and mints it there.
  add constraint bridge_transfers_carried check ((leg_id is null) = (to_chain in ('cardano', 'xrpl'))),
  add constraint bridge_transfers_tagged check (recipient_tag is null or to_chain = 'xrpl');

create or replace function check_bridge_transfer() returns trigger language plpgsql as $$
begin
  if (old.user_id, old.client_id, old.quote_id, old.route_id, old.amount, old.platform_fee, old.network_fee, old.leg_id,
      old.source_address, old.recipient_address, old.recipient_tag)
    is distinct from (new.user_id, new.client_id, new.quote_id, new.route_id, new.amount, new.platform_fee, new.network_fee,
      new.leg_id, new.source_address, new.recipient_address, new.recipient_tag)
  then
    raise exception 'bridge transfer % stays as it was asked for', old.object_id
      using errcode = 'check_violation', constraint = 'bridge_transfers_stay';
  end if;
  if old.status <> new.status and (old.status || '>' || new.status) not in (
    'AWAITING_FUNDS>BURNING', 'AWAITING_FUNDS>BURNED', 'AWAITING_FUNDS>CANCELLED',
    'BURNING>BURNED', 'BURNING>FAILED',
    'BURNED>BURNING', 'BURNED>ATTESTED', 'BURNED>STALLED', 'ATTESTED>MINTING', 'ATTESTED>STALLED',
    'MINTING>SENDING', 'MINTING>STALLED', 'SENDING>COMPLETED', 'SENDING>STALLED',
    'STALLED>BURNING', 'STALLED>ATTESTED', 'STALLED>MINTING', 'STALLED>SENDING', 'STALLED>COMPLETED', 'STALLED>ADVANCED')
  then
    raise exception 'bridge transfer % does not go from % to %', old.object_id, old.status, new.status
      using errcode = 'check_violation', constraint = 'bridge_transfers_onward';
  end if;
  return new;
end $$;

-- The treasury may pay out what it has minted to itself.
alter table cardano_transactions
  drop constraint cardano_transactions_kind_check,
  add constraint cardano_transactions_kind_check check (kind in ('mint', 'burn', 'send')),
  add constraint cardano_transactions_sent_to check (kind <> 'send' or recipient is not null);
-- In the order in which the ledger took them up: what is only sent changes nothing of what there is.
drop index cardano_transactions_booked;
create index cardano_transactions_booked on cardano_transactions (booked_at, seq) where kind <> 'send';

-- A transaction that a chain's monitor has sent again is found by the hash of the one before.
create index bridge_steps_by_chain on bridge_steps (chain, hash) where hash is not null;
