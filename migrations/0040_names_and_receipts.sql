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
