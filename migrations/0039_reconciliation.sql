-- Both sides' books of every rail, line by line, and where they differ (docs/decisions/0042).

-- How far each side of a rail is known, and where reading it stands: one window, page by page.
create table reconciliation_sides (
  rail        text not null check (rail ~ '^[a-z][a-z0-9-]{0,39}$'),
  side        text not null check (side in ('OURS', 'THEIRS')),
  -- What is older was never read, so that what lacks its other side near it is no break.
  since       timestamptz not null,
  -- Everything before it was told.
  told_until  timestamptz not null,
  -- READING: pages come into reconciliation_told. TAKING_OVER: all were told, and join the lines.
  phase       text not null default 'IDLE' check (phase in ('IDLE', 'READING', 'TAKING_OVER')),
  -- Counts the windows that were begun.
  pass        bigint not null default 0,
  began_at    timestamptz,
  window_from timestamptz,
  window_to   timestamptz,
  -- Where the next page begins, null at the window's first; then the last line that was taken over.
  after       text,
  pages       integer not null default 0,
  -- Days are read again, one window each: whether this is one, the last that was, and since when; all
  -- that should be, or only those of young differences; and when the last time of both had begun.
  is_again      boolean not null default false,
  again_day     date,
  again_began   timestamptz,
  again_all     boolean not null default false,
  again_at      timestamptz not null,
  again_some_at timestamptz not null,
  -- Since when it cannot be read, and why.
  failed_at   timestamptz,
  failure     text,
  primary key (rail, side),
  constraint reconciliation_sides_window check (
    (phase = 'IDLE') = (window_from is null) and (window_from is null) = (window_to is null)
    and (window_from is null) = (began_at is null)),
  constraint reconciliation_sides_failure check ((failed_at is null) = (failure is null)),
  constraint reconciliation_sides_again check (again_day is null or again_began is not null)
);

-- What a window has told so far. Nothing is concluded from it before the window was told whole.
create table reconciliation_told (
  rail      text not null,
  side      text not null,
  line      text not null,
  reference text not null,
  kind      text not null,
  asset     text not null,
  units     numeric(38, 0) not null,
  at        timestamptz not null,
  client_id integer,
  primary key (rail, side, line)
);

-- A line is of the group of its reference, kind and asset, and has the state of its group.
create table reconciliation_lines (
  rail      text not null,
  side      text not null,
  line      text not null,
  reference text not null,
  kind      text not null,
  asset     text not null,
  units     numeric(38, 0) not null,
  at        timestamptz not null,
  client_id integer,
  -- SETTLED: every line of the group has its other side. Forgotten after some days.
  state     text not null check (state in ('WAITING', 'BROKEN', 'SETTLED')),
  primary key (rail, side, line)
);
create index reconciliation_lines_group on reconciliation_lines (rail, reference, kind, asset);
create index reconciliation_lines_open on reconciliation_lines (rail, side, state, at, line)
  where state <> 'SETTLED';
create index reconciliation_lines_settled on reconciliation_lines (rail, at) where state = 'SETTLED';

create table reconciliation_breaks (
  break_id     bigint generated always as identity primary key,
  rail         text not null,
  reference    text not null,
  kind         text not null,
  asset        text not null,
  cause        text not null check (cause in ('MISSING_AT_PROVIDER', 'MISSING_IN_OUR_BOOKS',
                 'AMOUNT_DIFFERS', 'DAY_DIFFERS', 'DOUBLED_AT_PROVIDER', 'DOUBLED_IN_OUR_BOOKS')),
  -- EXPLAINED: an admin knows why. RESOLVED: there is no difference any more.
  state        text not null default 'OPEN' check (state in ('OPEN', 'EXPLAINED', 'RESOLVED')),
  -- The line that it hangs on: ours where there is one.
  side         text not null check (side in ('OURS', 'THEIRS')),
  line         text not null,
  our_line     text,
  our_units    numeric(38, 0),
  our_at       timestamptz,
  their_line   text,
  their_units  numeric(38, 0),
  their_at     timestamptz,
  -- Whose our line is; null for what is the operator's alone.
  client_id    integer references clients,
  found_at     timestamptz not null,
  changed_at   timestamptz not null,
  resolved_at  timestamptz,
  note         text check (length(note) between 1 and 1000),
  explained_by integer references users,
  -- What became of it, oldest first.
  history      jsonb not null,
  constraint reconciliation_breaks_line check (
    line = case side when 'OURS' then our_line else their_line end),
  constraint reconciliation_breaks_resolved check ((state = 'RESOLVED') = (resolved_at is not null)),
  constraint reconciliation_breaks_explained check ((note is null) = (explained_by is null)
    and (state <> 'EXPLAINED' or note is not null))
);
create unique index reconciliation_breaks_standing on reconciliation_breaks (rail, side, line)
  where state <> 'RESOLVED';
create index reconciliation_breaks_group on reconciliation_breaks (rail, reference, kind, asset)
  where state <> 'RESOLVED';
create index reconciliation_breaks_open on reconciliation_breaks (rail, cause, found_at)
  where state = 'OPEN';
create index reconciliation_breaks_of_client on reconciliation_breaks (client_id, break_id)
  where client_id is not null;
create index reconciliation_breaks_of_rail on reconciliation_breaks (rail, break_id);

-- What settled at the card network, by its time.
create index card_transactions_cleared on card_transactions (transmitted_at, id)
  where state = 'SETTLED' and not simulated;
