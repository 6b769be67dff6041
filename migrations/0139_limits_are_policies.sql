-- The operator's first limits named kinds where operations have names of their own (op): transfers between wallets,
-- holds and the bridge passed them. A published policy stays as it was, so others take over from those in force.
with names (old, policy_id) as (values
  ('019acb00-0000-7000-8000-000000000001'::uuid, '019acb00-0000-7000-8000-000000000006'::uuid),
  ('019acb00-0000-7000-8000-000000000002', '019acb00-0000-7000-8000-000000000007'),
  ('019acb00-0000-7000-8000-000000000003', '019acb00-0000-7000-8000-000000000008')),
retired as (
  update policies p set status = 'RETIRED', retired_at = service_now(), updated_at = service_now(), version = version + 1,
      pending = null, pending_by = null, pending_at = null
    from names n where p.policy_id = n.old and p.status = 'PUBLISHED'
  returning n.policy_id, n.old, p.name, p.applies_to, p.condition, p.outcome, p.priority),
placed as (
  insert into policies (policy_id, name, applies_to, condition, outcome, priority, status, published_at)
  select policy_id, name, applies_to,
      replace(condition, 'op in ["transfer", "withdrawal", "batch", "bridge"]',
        'op in ["wallet_transfer", "wallet_hold", "invoice_payment", "withdrawal", "batch", "bridge_transfer"]'),
      outcome, priority, 'PUBLISHED', service_now()
    from retired order by policy_id)
insert into policy_sums (tally, subject, starts, amount, count)
  select 'policy:' || r.policy_id, s.subject, s.starts, s.amount, s.count
    from retired r join policy_sums s on s.tally = 'policy:' || r.old
   where s.starts > service_now() - interval '2 days';

-- What a user may begin between chains on a UTC day was a constant with a table of its own. The table and the column
-- stay for processes of the version before; nothing reads them any more.
insert into policies (policy_id, name, applies_to, condition, outcome, priority, status, published_at) values
  ('019acb00-0000-7000-8000-000000000009', 'Between chains a day, of a user', '{bridge}',
    'op in ["crosschain_transfer", "bridge_transfer"]',
    '{"limit": {"amount": "50000", "currency": "USDC", "per": "user", "window": "1d"}}', 100, 'PUBLISHED', service_now());
insert into policy_sums (tally, subject, starts, amount, count)
  select 'policy:019acb00-0000-7000-8000-000000000009', 'user:' || user_id, day::timestamp at time zone 'UTC', units, 1
    from crosschain_days where day > (service_now() at time zone 'UTC')::date - 2;
-- A transfer that was called failed may prove to be burnt: what was given back counts again.
create index policy_decisions_given_back on policy_decisions (operation, kind) where given_back_at is not null;
alter table crosschain_transfers alter column limit_day drop not null;
