-- What people did is written once, and whoever changes it all the same is found (docs/decisions/0071).
create function refuse_rewriting() returns trigger language plpgsql as $$
begin
  raise exception '% of %: it is written once', tg_op, tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger activity_stays before update or delete or truncate on activity_log
  for each statement execute function refuse_rewriting();

-- What stands for a stretch of its lines and for all before it, by a key that is not in the database.
create table activity_seals (
  -- The last line under it.
  upto      bigint primary key,
  -- The last line under the one before it; 0 of the first.
  after     bigint not null constraint activity_seals_in_line unique,
  lines     integer not null check (lines > 0),
  -- Of the lines, in their order.
  digest    bytea not null check (length(digest) = 32),
  -- Of all of the above and the mark of the one before it.
  mark      bytea not null constraint activity_seals_marks unique check (length(mark) = 32),
  made_at   timestamptz not null default service_now(),
  constraint activity_seals_go_on check (after < upto)
);
create trigger activity_seals_stay before update or delete or truncate on activity_seals
  for each statement execute function refuse_rewriting();

-- Up to which line all are there or never will be: a number is handed out before its transaction ends.
create table activity_sealing (
  is_only      boolean primary key default true check (is_only),
  decided      bigint not null default 0,
  next_decided bigint not null default 0,
  next_xid     xid8 not null default '0'
);
insert into activity_sealing default values;
