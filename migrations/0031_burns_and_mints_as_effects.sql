-- A burn and a mint of ours are effects: what was begun and has not ended is followed up as one.
insert into effects (kind, id, opened_at, calls, steps)
select 'burn', log_id || ':' || burn_attempt, lease_until - interval '2 minutes', 1,
  jsonb_build_array(jsonb_build_object('at', lease_until - interval '2 minutes', 'step', 'begin'))
from crosschain_transfers where lease is not null;
insert into effects (kind, id, opened_at, calls, steps)
select 'mint', log_id || ':' || mint_attempt, mint_started_at, 1,
  jsonb_build_array(jsonb_build_object('at', mint_started_at, 'step', 'begin'))
from crosschain_transfers where status = 'BURNED' and mint_started_at is not null;

-- Whoever is burning has the effect, and the row only while it is begun.
alter table crosschain_transfers
  drop constraint crosschain_lease,
  drop column lease,
  drop column lease_until,
  -- When the reconciliation last looked at it, since it was burnt or minted.
  add column checked_at timestamptz;
-- Found by their effects.
drop index crosschain_minting;
drop index crosschain_burned;
drop index crosschain_unreconciled;

update crosschain_transfers t set checked_at = b.last_at
from crosschain_breaks b
where b.subject = t.log_id::text and b.settled_at is null
  and (b.kind = 'STUCK' and t.status = 'BURNED'
    or b.kind <> 'STUCK' and t.status = 'MINTED' and t.reconciled_at is null);
create index crosschain_stuck on crosschain_transfers (updated_at)
  where status = 'BURNED' and checked_at is null;
create index crosschain_unreconciled on crosschain_transfers (checked_at nulls first, serial)
  where status = 'MINTED' and reconciled_at is null;
