-- Outgoing webhooks (docs/decisions/0047). An endpoint is a reader of the log of events that has a place in
-- it; rows are made for what was tried and for what waits for another try, and not for what is to come.
create schema webhooks;

create table webhooks.endpoints (
  endpoint_id    uuid primary key,
  client_id      integer not null references clients,
  url            text not null check (length(url) between 1 and 2048),
  description    text not null check (length(description) <= 200),
  -- 'payment.succeeded', 'payment.*' or '*'.
  types          text[] not null check (cardinality(types) between 1 and 100),
  payload        text not null check (payload in ('fat', 'thin')),
  ordering       text not null check (ordering in ('object', 'strict')),
  concurrency    smallint not null check (concurrency between 1 and 32),
  -- Requests a second; null is without.
  rate_limit     integer check (rate_limit between 1 and 1000),
  -- Headers of the owner's own, and secrets with their ends, newest first; both by the vault.
  headers_sealed text,
  secrets_sealed text not null,
  -- Counts the changes of what is above, so that who serves it notices.
  revision       integer not null default 1,

  status         text not null default 'active'
    check (status in ('active', 'failing', 'paused', 'disabled')),
  disabled_why   text check (disabled_why in ('gone', 'failing', 'not_public')),
  -- Up to here everything is delivered, parked or given up.
  place          bigint not null check (place >= 0),
  -- Tries in a row that have failed, since when, and the first event among them.
  failures       integer not null default 0,
  failing_since  timestamptz,
  failing_first  bigint,
  probes         smallint not null default 0,
  probe_at       timestamptz,
  -- How many mails its owner has got about the failures under way.
  warnings       smallint not null default 0,
  last_success_at timestamptz,
  -- Who serves it, until when; by the machine's clock.
  lease          uuid,
  lease_by       integer,
  lease_until    timestamptz,
  created_at     timestamptz not null default service_now(),
  updated_at     timestamptz not null default service_now(),

  constraint endpoints_disabled_says_why check ((status = 'disabled') = (disabled_why is not null)),
  constraint endpoints_failing_has_probe check (status <> 'failing' or probe_at is not null)
) with (fillfactor = 70);
create index endpoints_of_client on webhooks.endpoints (client_id, created_at);
create index endpoints_served on webhooks.endpoints (endpoint_id) where status in ('active', 'failing');
create index endpoints_failing on webhooks.endpoints (failing_since) where status = 'failing';

-- What waits for another try, and what waits behind it: of each lane the first has a time.
create table webhooks.parked (
  endpoint_id uuid not null references webhooks.endpoints on delete cascade,
  position    bigint not null,
  -- The object; of an endpoint in strict order there is one lane; repetitions have lanes of their own.
  lane        text not null,
  -- Tries so far.
  attempt     smallint not null check (attempt between 0 and 100),
  next_at     timestamptz,
  primary key (endpoint_id, position, lane)
);

-- What was asked for once more: a stretch of the log, of which `place` is done.
create table webhooks.replays (
  replay_id   bigint generated always as identity primary key,
  endpoint_id uuid not null references webhooks.endpoints on delete cascade,
  cause       text not null check (cause in ('replay', 'resend')),
  place       bigint not null,
  upto        bigint not null check (upto >= place),
  types       text[] not null,
  only_failed boolean not null,
  created_at  timestamptz not null default service_now()
);
create index replays_of_endpoint on webhooks.replays (endpoint_id, replay_id);

-- Every try. Kept for 30 days, a partition a day.
create sequence webhooks.attempt_ids;
create table webhooks.attempts (
  attempt_id  bigint not null default nextval('webhooks.attempt_ids'),
  endpoint_id uuid not null,
  -- Null of a test, which is in no log.
  position    bigint,
  event_id    uuid not null,
  event_type  text not null,
  object_type text not null,
  object_id   text not null,
  -- Which try of that event it was.
  attempt     smallint not null,
  at          timestamptz not null,
  cause       text not null check (cause in ('event', 'retry', 'probe', 'replay', 'resend', 'test')),
  -- 'exhausted' is the last failure of an event that is given up.
  result      text not null check (result in ('delivered', 'failed', 'exhausted')),
  url         text not null,
  status      smallint,
  ms          integer not null,
  error       text,
  response    text,
  primary key (endpoint_id, attempt_id, at)
) partition by range (at);
create index attempts_of_event on webhooks.attempts (endpoint_id, position desc, attempt_id desc);
create index attempts_by_event_id on webhooks.attempts (endpoint_id, event_id);

-- The partition of a day, and of the one after it, so that a clock that moves on finds one.
create function webhooks.provide(at timestamptz) returns void language plpgsql as $$
declare
  first date := (at at time zone 'UTC')::date;
  name text;
begin
  perform pg_advisory_xact_lock(7242009);
  for n in 0 .. 1 loop
    name := 'attempts_' || to_char(first + n, 'YYYYMMDD');
    if to_regclass('webhooks.' || name) is null then
      execute format('create table webhooks.%I (like webhooks.attempts including defaults including indexes including constraints)', name);
      execute format('alter table webhooks.attempts attach partition webhooks.%I for values from (%L) to (%L)',
        name, (first + n)::text || ' 00:00+00', (first + n + 1)::text || ' 00:00+00');
    end if;
  end loop;
end $$;

-- Drops the days before that one; answers how many.
create function webhooks.forget(before timestamptz) returns integer language plpgsql as $$
declare
  part record;
  dropped integer := 0;
begin
  for part in
    select c.oid::regclass as name, to_date(substr(c.relname, 10), 'YYYYMMDD') as day
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'webhooks.attempts'::regclass
  loop
    if part.day < (before at time zone 'UTC')::date then
      execute format('drop table %s', part.name);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end $$;
