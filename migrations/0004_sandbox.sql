-- What the provider simulators remember. Nothing of the service refers to it, and production, where
-- no simulator ever runs, leaves it empty.
create schema sandbox;

create table sandbox.records (
  provider   text not null,
  kind       text not null,
  id         text not null,
  data       jsonb not null,
  seq        bigint generated always as identity,
  created_at timestamptz not null default now(),
  primary key (provider, kind, id),
  constraint records_data_is_an_object check (jsonb_typeof(data) = 'object')
);

create index records_newest on sandbox.records (provider, kind, seq desc);
create index records_by_field on sandbox.records using gin (data jsonb_path_ops);
