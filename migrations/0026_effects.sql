-- Calls to the outside whose answer may get lost. The row is the intent's: written in the transaction
-- that decides it, with the job that follows it up, and closed in the one that books how it ended.
create table effects (
  kind          text not null check (kind ~ '^[a-z][a-z0-9.-]{0,59}$'),
  -- Its feature's name for the intent, such as the number of its row.
  id            text not null check (length(id) between 1 and 120),
  state         text not null default 'OPEN' check (state in ('OPEN', 'SETTLED', 'REFUSED')),
  opened_at     timestamptz not null default service_now(),
  ended_at      timestamptz,
  -- Counted before the call is made: none means that nothing has left for certain.
  calls         integer not null default 0 check (calls >= 0),
  look_ups      integer not null default 0 check (look_ups >= 0),
  -- Where only one attempt at a time may act: whose it is, for whom, and until when.
  attempt       uuid,
  attempt_owner text check (length(attempt_owner) between 1 and 120),
  attempt_until timestamptz,
  -- Why it was refused; a repetition of the request is told the same.
  code          text check (length(code) between 1 and 60),
  message       text check (length(message) <= 300),
  -- When what came back could not be booked. A person has to look.
  stalled_at    timestamptz,
  -- What was done and heard, in order: [{at, step, outcome, note}], the first ten and the latest forty.
  steps         jsonb not null default '[]' check (jsonb_typeof(steps) = 'array'),

  primary key (kind, id),
  constraint effects_ended check ((state = 'OPEN') = (ended_at is null)),
  constraint effects_refused_says_why check ((state = 'REFUSED') = (code is not null)),
  constraint effects_stalled_is_open check (stalled_at is null or state = 'OPEN'),
  constraint effects_attempt check (num_nulls(attempt, attempt_until) in (0, 2))
) with (fillfactor = 80);

create index effects_open on effects (kind, opened_at) where state = 'OPEN';
create index effects_ended on effects (ended_at) where state <> 'OPEN';
