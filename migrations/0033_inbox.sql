-- What others have told us: stored once under the sender's name for it, and handled by a job.
create table inbox (
  source       text not null check (source ~ '^[a-z][a-z0-9-]{0,59}$'),
  id           text not null check (length(id) between 1 and 200),
  event        jsonb not null,
  received_at  timestamptz not null default service_now(),
  -- How often it came: what is told again while it is being handled is handled again.
  receipts     integer not null default 1 check (receipts > 0),
  processed_at timestamptz,
  -- What came of it, in a word.
  outcome      text check (length(outcome) between 1 and 60),
  -- When every attempt to handle it had failed. A person has to look.
  stalled_at   timestamptz,
  last_error   text check (length(last_error) <= 300),

  primary key (source, id),
  constraint inbox_processed check ((processed_at is null) = (outcome is null)),
  constraint inbox_stalled_is_open check (stalled_at is null or processed_at is null)
);
create index inbox_open on inbox (source, received_at) where processed_at is null;
create index inbox_done on inbox (source, processed_at) where processed_at is not null;

insert into inbox (source, id, event, received_at, processed_at, outcome)
select 'identity', digest, event, received_at, processed_at, outcome from identity_events;
drop table identity_events;
