-- Pay-outs that are looked at although nobody calls back about them, and histories that are narrowed down.

-- When the gateway is asked next what has become of it, if ever. A process of the version before writes none: the
-- default has each of its pay-outs looked at all the same.
alter table payouts add column look_at timestamptz;
alter table payouts alter column look_at set default service_now() + interval '1 hour';
-- A bank may send back what arrived in the last two months. Not all of them in the same hour.
update payouts set look_at = service_now() + interval '1 hour' + random() * interval '1 day'
 where state in ('ASKED', 'SENT')
    or (state = 'PAID' and paid_at > service_now() - interval '60 days');
create index payouts_to_look_at on payouts (look_at) where look_at is not null;

-- Histories, newest first, of one status, and of what is known by a hash.
create index xrpl_transactions_of_status on xrpl_transactions (user_id, status, id desc);
create index xrpl_transactions_of_time on xrpl_transactions (user_id, created_at, id);
create index cardano_steps_of_status on cardano_steps (user_id, status, step_id desc);
create index cardano_steps_of_time on cardano_steps (user_id, created_at, step_id);
create index cardano_steps_of_hash on cardano_steps (tx_hash) where tx_hash is not null;
