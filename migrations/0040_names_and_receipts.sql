-- What has come several times: when first, when last, and since when it waits to be handled.
alter table inbox
  add column last_received_at timestamptz not null default service_now(),
  add column waits_since      timestamptz not null default service_now();
update inbox set last_received_at = received_at, waits_since = received_at;
drop index inbox_open;
create index inbox_open on inbox (source, waits_since) where processed_at is null;

-- By the field's names.
alter table crosschain_transfers rename column passage to bridge_route;
alter table chain_lanes rename to chain_nonces;
alter table chain_nonces rename constraint chain_lanes_pkey to chain_nonces_pkey;
alter table chain_nonces rename constraint chain_lanes_chain to chain_nonces_chain;
-- A function's text does not follow a column's new name.
create or replace function count_bridge_burns() returns trigger language plpgsql as $$
declare
  before numeric := 0;
  after numeric := 0;
begin
  -- The same of both: burnt at the bridge, and seen on chain.
  if tg_op <> 'INSERT' and old.bridge_route = 'BRIDGE' and old.status in ('BURNED', 'MINTED')
     and old.burn_proof is distinct from 'WORD' then
    before := old.units;
  end if;
  if tg_op <> 'DELETE' and new.bridge_route = 'BRIDGE' and new.status in ('BURNED', 'MINTED')
     and new.burn_proof is distinct from 'WORD' then
    after := new.units;
  end if;
  insert into crosschain_burnt as b (chain_id, units, changes)
    values (case tg_op when 'DELETE' then old.from_chain else new.from_chain end, after - before, 1)
    on conflict (chain_id) do update set units = b.units + excluded.units, changes = b.changes + 1;
  return null;
end $$;
