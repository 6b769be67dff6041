-- Who may pay what: rules that people write, publish by two and test on what was decided before
-- (docs/design/policies.md).

-- A rule. One without a client is the operator's and applies to every client. No rule allows anything, so that a
-- client's rules only narrow the operator's.
create table policies (
  serial       bigint generated always as identity primary key,
  policy_id    uuid not null unique,
  client_id    integer references clients,
  name         text not null check (length(name) between 1 and 100),
  applies_to   text[] not null check (cardinality(applies_to) between 1 and 10 and applies_to <@ array[
    'transfer', 'request', 'withdrawal', 'batch', 'refund', 'conversion', 'card', 'bridge', 'send', 'agent']),
  condition    text check (length(condition) between 1 and 2000),
  outcome      jsonb not null check (jsonb_typeof(outcome) = 'object'),
  priority     integer not null default 0 check (priority between 0 and 1000),
  status       text not null default 'DRAFT' check (status in ('DRAFT', 'PUBLISHED', 'RETIRED')),
  version      integer not null default 1 check (version > 0),
  -- Nobody where the platform came with it.
  edited_by    integer references users,
  edited_at    timestamptz not null default service_now(),
  -- What the one admin of a client has asked for, which takes effect then.
  pending      text check (pending in ('publish', 'retire')),
  pending_by   integer references users,
  pending_at   timestamptz,
  published_by integer references users,
  published_at timestamptz,
  retired_by   integer references users,
  retired_at   timestamptz,
  created_at   timestamptz not null default service_now(),
  updated_at   timestamptz not null default service_now(),
  check ((pending is null) = (pending_at is null) and (pending is null) = (pending_by is null)),
  check ((status = 'DRAFT') = (published_at is null) and (status = 'RETIRED') = (retired_at is not null))
);
create index policies_of_client on policies (client_id, serial desc);
create index policies_pending on policies (pending_at) where pending is not null;
create index policies_published on policies (client_id) where status = 'PUBLISHED';

-- Only a draft is edited: a published rule stays as it was tested and read.
create function check_policy() returns trigger language plpgsql as $$
begin
  if old.status <> 'DRAFT' and
    (old.name, old.applies_to, old.condition, old.outcome, old.priority)
      is distinct from (new.name, new.applies_to, new.condition, new.outcome, new.priority)
  then
    raise exception 'policy % stays as it was published', old.policy_id
      using errcode = 'check_violation', constraint = 'policies_stay';
  end if;
  if old.status = 'RETIRED' or old.status = 'PUBLISHED' and new.status = 'DRAFT' then
    raise exception 'policy % does not go back', old.policy_id
      using errcode = 'check_violation', constraint = 'policies_onward';
  end if;
  return new;
end $$;
create trigger policies_checked before update on policies for each row execute function check_policy();

-- How much and how often something was done in a window of time: of a policy by its subject, and of each user.
create table policy_sums (
  tally   text not null,
  subject text not null,
  starts  timestamptz not null,
  amount  numeric(38, 0) not null check (amount >= 0),
  count   bigint not null check (count >= 0),
  primary key (tally, subject, starts)
);
create index policy_sums_by_time on policy_sums (starts);

-- What was decided of each operation, with all that the policies have seen of it. A partition a month.
create sequence policy_decision_ids;
create table policy_decisions (
  decision_id    bigint not null default nextval('policy_decision_ids'),
  at             timestamptz not null,
  client_id      integer not null,
  user_id        integer not null,
  kind           text not null,
  operation      text not null,
  payment_id     text,
  verdict        text not null check (verdict in ('ALLOW', 'DENY', 'LIMIT', 'STEP_UP', 'APPROVE', 'HOLD')),
  policy_id      uuid,
  policy_version integer,
  observed       jsonb not null,
  -- Each policy that applied, with what it asked for.
  matched        jsonb not null,
  -- What it has added to sums, until that is given back.
  taken          jsonb not null,
  given_back_at  timestamptz,
  primary key (decision_id, at),
  check ((policy_id is null) = (policy_version is null))
) partition by range (at);
create index policy_decisions_of_client on policy_decisions (client_id, decision_id);
create index policy_decisions_by_operation on policy_decisions (operation, kind) where given_back_at is null;

-- The partition of a month and of the next one; answers how many it had to make.
create function provide_policy_decisions(at timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  first date := date_trunc('month', at at time zone 'UTC')::date;
  begins date;
  name text;
  made integer := 0;
begin
  for n in 0 .. 1 loop
    begins := (first + make_interval(months => n))::date;
    name := 'policy_decisions_' || to_char(begins, 'YYYYMM');
    continue when to_regclass('public.' || name) is not null;
    perform pg_advisory_xact_lock(7242011);
    -- By a statement of its own: to_regclass answers from a cache that does not see who held the lock before.
    continue when exists (select from pg_class c where c.relname = name and c.relnamespace = 'public'::regnamespace);
    execute format('create table public.%I (like public.policy_decisions including defaults including indexes including constraints)', name);
    execute format('alter table public.policy_decisions attach partition public.%I for values from (%L) to (%L)',
      name, begins::text || ' 00:00+00', (begins + interval '1 month')::date::text || ' 00:00+00');
    made := made + 1;
  end loop;
  return made;
end $$;
select provide_policy_decisions(service_now());

-- Drops the months that ended before then; answers how many.
create function forget_policy_decisions(before timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  part record;
  dropped integer := 0;
begin
  for part in
    select c.oid::regclass as name, to_date(right(c.relname, 6), 'YYYYMM') as begins
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'public.policy_decisions'::regclass
  loop
    if part.begins + interval '1 month' <= (before at time zone 'UTC') then
      execute format('drop table %s', part.name);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end $$;

-- What other people have to want before it happens.
create table approvals (
  serial       bigint generated always as identity primary key,
  approval_id  uuid not null unique,
  client_id    integer not null references clients,
  kind         text not null,
  object_type  text not null,
  object_id    text not null,
  summary      text not null check (length(summary) between 1 and 500),
  content      jsonb not null,
  content_hash text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  needed       smallint not null check (needed between 1 and 3),
  roles        text[] not null check (cardinality(roles) > 0 and roles <@ array['admin', 'operator']),
  made_by      integer not null references users,
  -- Who owns what receives the money, where that is one of our users.
  receiver     integer references users,
  policy_id    uuid not null references policies (policy_id),
  status       text not null default 'PENDING'
    check (status in ('PENDING', 'APPROVED', 'REJECTED', 'EXPIRED', 'CANCELLED')),
  version      integer not null default 1 check (version > 0),
  created_at   timestamptz not null default service_now(),
  updated_at   timestamptz not null default service_now(),
  expires_at   timestamptz not null default service_now() + interval '72 hours',
  ended_at     timestamptz,
  check ((status = 'PENDING') = (ended_at is null))
);
create unique index approvals_of_object on approvals (object_type, object_id) where status = 'PENDING';
create index approvals_of_client on approvals (client_id, serial desc);
create index approvals_by_status on approvals (status, serial);
create index approvals_of_client_by_status on approvals (client_id, status, serial);
create index approvals_waiting on approvals (expires_at) where status = 'PENDING';
create index approvals_of_maker on approvals (made_by) where status = 'PENDING';

create table approval_votes (
  approval_id uuid not null references approvals (approval_id),
  user_id     integer not null references users,
  is_approval boolean not null,
  note        text check (length(note) between 1 and 500),
  at          timestamptz not null default service_now(),
  primary key (approval_id, user_id)
);

-- Nobody decides about what they made or receive, nor with an account that is younger than the request.
create function check_approval_vote() returns trigger language plpgsql as $$
begin
  if not exists (
    select from approvals a join users u on u.user_id = new.user_id join clients c on c.client_id = u.client_id
     where a.approval_id = new.approval_id and a.status = 'PENDING' and a.expires_at > service_now()
       and u.user_id <> a.made_by and u.user_id is distinct from a.receiver
       and u.created <= a.created_at and u.role = 'admin' and u.user_status = 'ACTIVE'
       and client_is_open(c.client_status)
       and ('operator' = any (a.roles) and u.client_id = 1 or 'admin' = any (a.roles) and u.client_id = a.client_id))
  then
    raise exception 'user % may not decide about %', new.user_id, new.approval_id
      using errcode = 'check_violation', constraint = 'approvals_by_others';
  end if;
  return new;
end $$;
create trigger approval_votes_checked before insert on approval_votes
  for each row execute function check_approval_vote();

-- A proof for one operation, of somebody who was challenged: used once, within five minutes.
create table step_ups (
  challenge_id text primary key,
  user_id      integer not null references users on delete cascade,
  -- SHA-256 of the operation that the challenge was for.
  content_hash bytea not null check (length(content_hash) = 32),
  method       text not null check (method in ('two_factor', 'password')),
  proven_at    timestamptz not null default service_now(),
  proven_until timestamptz not null,
  used_at      timestamptz
);
create index step_ups_by_time on step_ups (proven_until);

-- A policy against what was decided before.
create table policy_backtests (
  serial      bigint generated always as identity primary key,
  backtest_id uuid not null unique,
  policy_id   uuid not null references policies (policy_id) on delete cascade,
  client_id   integer references clients,
  days        smallint not null check (days between 1 and 90),
  status      text not null default 'PENDING' check (status in ('PENDING', 'READY', 'FAILED')),
  -- The decisions after this one and up to that one are still to be read.
  after_id    bigint not null,
  until_id    bigint not null,
  seen        bigint not null default 0,
  denied      bigint not null default 0,
  held        bigint not null default 0,
  to_approve  bigint not null default 0,
  to_prove    bigint not null default 0,
  differing   bigint not null default 0,
  differences jsonb not null default '[]',
  -- Sums of its own limit so far.
  sums        jsonb not null default '{}',
  asked_by    integer not null references users,
  created_at  timestamptz not null default service_now(),
  ended_at    timestamptz,
  check ((status = 'PENDING') = (ended_at is null))
);
create index policy_backtests_of_policy on policy_backtests (policy_id, serial desc);

-- Whether two accounts of admins are two people, as far as that can be seen: of the operator, or of that client.
create function is_second_admin(first integer, second integer, since timestamptz, with_factor boolean, of_client integer)
returns boolean language sql stable as $$
  select first <> second
    and exists (select from users u join clients c using (client_id)
      where u.user_id = second and u.client_id in (1, of_client) and u.role = 'admin' and u.user_status = 'ACTIVE'
        and client_is_open(c.client_status) and u.created <= since and (u.twofa_enabled or not with_factor))
    and not exists (select from activity_log l
      where l.subject_user_id = second and l.at > since
        and (l.actor_user_id = first or l.details ->> 'proposed_by' = first::text)
        and l.action !~ '^(ADJUSTMENT|WALLET)_'
        and l.action not in ('USER_STOPPED', 'CHANGE_WITHDRAWN', 'CHANGE_VOIDED', 'CHANGE_FAILED', 'CHANGE_REFUSED'))
$$;
create or replace function is_second_person(first integer, second integer, since timestamptz, with_factor boolean)
returns boolean language sql stable as $$
  select is_second_admin(first, second, since, with_factor, 1)
$$;

-- What is charged for an operation: a client's own row, else the operator's.
create table fee_rows (
  fee_row_id bigint generated always as identity primary key,
  -- Nothing of the operator's rows.
  client_id integer references clients,
  rail      text not null check (rail in ('wallet', 'withdrawal', 'batch', 'invoice', 'issued_card', 'fx', 'bridge')),
  -- Empty where the fee is the same for every method.
  method    text not null default '' check (method ~ '^[a-z_]{0,40}$'),
  currency  text not null references ledger.assets,
  flat      numeric(38, 0) not null check (flat >= 0),
  bps       integer not null check (bps between 0 and 2000),
  least     numeric(38, 0) check (least >= 0),
  most      numeric(38, 0) check (most >= 0),
  check (least is null or most is null or least <= most),
  unique nulls not distinct (client_id, rail, method, currency)
);
create table fee_versions (
  fee_version_id bigint generated always as identity primary key,
  client_id  integer references clients,
  version    integer not null check (version > 0),
  edited_by  integer references users,
  updated_at timestamptz not null default service_now(),
  unique nulls not distinct (client_id)
);
insert into fee_rows (rail, currency, flat, bps) values
  ('withdrawal', 'IDR', 250000, 0), ('withdrawal', 'VND', 5000, 0), ('withdrawal', 'INR', 1000, 0),
  ('withdrawal', 'USD', 50, 0), ('withdrawal', 'SGD', 50, 0), ('withdrawal', 'AUD', 50, 0);
insert into fee_versions (version) values (1);

-- The operator's first rules. They are about the operations named here: what could be paid before stays as it was.
insert into policies (policy_id, name, applies_to, condition, outcome, priority, status, published_at) values
  ('019acb00-0000-7000-8000-000000000001', 'Outward a day, of a verified user', '{transfer,withdrawal,batch,bridge}',
    'op in ["transfer", "withdrawal", "batch", "bridge"] && user.is_verified',
    '{"limit": {"amount": "10000", "currency": "USD", "per": "user", "window": "1d"}}', 100, 'PUBLISHED', service_now()),
  ('019acb00-0000-7000-8000-000000000002', 'Outward a day, before verification', '{transfer,withdrawal,batch,bridge}',
    'op in ["transfer", "withdrawal", "batch", "bridge"] && !user.is_verified',
    '{"limit": {"amount": "500", "currency": "USD", "per": "user", "window": "1d"}}', 100, 'PUBLISHED', service_now()),
  ('019acb00-0000-7000-8000-000000000003', 'Outward a day, of a client', '{transfer,withdrawal,batch,bridge}',
    'op in ["transfer", "withdrawal", "batch", "bridge"]',
    '{"limit": {"amount": "1000000", "currency": "USD", "per": "client", "window": "1d"}}', 100, 'PUBLISHED', service_now()),
  ('019acb00-0000-7000-8000-000000000004', 'A batch is approved by another person', '{batch}', null,
    '{"approve": {"count": 1}}', 100, 'PUBLISHED', service_now()),
  ('019acb00-0000-7000-8000-000000000005', 'No payout to an account of another name', '{withdrawal,batch}',
    'recipient.verification == "NO_MATCH"',
    '{"deny": {"message": "The bank knows the account under another name"}}', 1000, 'PUBLISHED', service_now());
