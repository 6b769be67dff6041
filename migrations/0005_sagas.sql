-- Workflows whose truth is a row: the state they are in, and what they wait for. The queue of
-- jobs (schema pgboss, installed by the jobs module) only wakes them.
create table sagas (
  id text primary key check (id <> ''),
  type text not null,
  state text not null,
  -- Goes up by one with every transition. A wake-up carries the version it is for.
  version integer not null,
  data jsonb not null default '{}' check (jsonb_typeof(data) = 'object'),
  waiting_for text,
  -- Service time at which a wait ends without its event.
  due_at timestamptz,
  finished boolean not null default false,
  last_error text,
  -- Set when every attempt failed and the state names no way out: a person has to look.
  stalled_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((waiting_for is null) = (due_at is null))
);

create index sagas_open on sagas (updated_at) where not finished;
create index sagas_open_states on sagas (type, state) where not finished;

-- What others told a saga. Kept from before it exists or waits, each event once.
create table saga_events (
  seq bigint generated always as identity primary key,
  saga_id text not null,
  name text not null,
  key text not null,
  payload jsonb not null,
  received_at timestamptz not null default now(),
  -- The version of the saga that took it.
  consumed_version integer,
  constraint saga_events_once unique (saga_id, name, key)
);

create index saga_events_unread on saga_events (saga_id, name, seq) where consumed_version is null;

-- Every state a saga was in, in order.
create table saga_log (
  saga_id text not null references sagas (id) on delete cascade,
  version integer not null,
  state text not null,
  entered_at timestamptz not null,
  primary key (saga_id, version)
);

-- When each schedule is due next, in service time. Whoever moves it on starts the run.
create table job_schedules (
  name text primary key,
  cron text not null,
  timezone text not null,
  next_at timestamptz not null
);
