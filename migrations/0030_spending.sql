-- A send and a platform fee are effects: what was begun and has not ended is followed up as one.
insert into effects (kind, id, opened_at, calls, steps)
select kind, id, at, 1, jsonb_build_array(jsonb_build_object('at', at, 'step', 'begin'))
from (
  select 'onchain-send' as kind, operation::text as id, created_at as at
  from onchain_sends where not is_settled
  union all
  select 'platform-fee.onchain', operation::text, updated_at
  from onchain_sends where is_settled and fee_status = 'DUE'
  union all
  select 'platform-fee.crosschain', log_id::text, updated_at
  from crosschain_transfers where fee_status = 'DUE'
) open;

-- What looked for them before is there no more. The queues come with the first start.
do $$
begin
  if to_regclass('pgboss.job') is not null then
    delete from pgboss.job
    where name in ('onchain.collect-fee', 'onchain.end-open', 'crosschain.collect-fee')
      and state < 'completed';
  end if;
end $$;

-- When somebody looks at a send that the chain has executed, and that may still change: its block may
-- be dropped. Told by the chains at once; this is for what nobody was told of.
alter table onchain_sends
  add column look_at timestamptz,
  add constraint onchain_sends_looked_at check (look_at is null or not is_settled);
drop index onchain_sends_open;
create index onchain_sends_look on onchain_sends (look_at) where look_at is not null;
