-- Lists and histories may be read from a replica (kernel/http/histories.ts): where in the log a caller's last change
-- is, so that none of its reads is answered from before it.

-- A fixed number of places, into which callers are hashed: two that share one only read from the leader more often
-- than they had to. Not logged: it is of no use on a replica, and costs no wait for the disk. After a crash it is
-- empty, place 0 too; whoever finds that missing puts there how far the log has come.
create unlogged table read_fence (
  place    integer primary key check (place between 0 and 65536),
  position pg_lsn not null
) with (fillfactor = 50);

create function fence_place(mark text) returns integer language sql immutable parallel safe
  return case mark when '*' then 0 else (hashtext(mark) & 65535) + 1 end;

-- Notes that what those marks stand for has changed: all of it is in the log by now.
create function note_changed(marks text[]) returns void language sql as $$
  insert into read_fence as f (place, position)
  select place, pg_current_wal_insert_lsn()
  from (select distinct fence_place(mark) as place from unnest(marks) as mark) as p order by place
  on conflict (place) do update set position = greatest(f.position, excluded.position)
$$;

-- Asked on a replica before it is read from, in the same message: fails where it has not come so far. After a
-- failover the server may be the leader, which has everything.
create function require_replayed(wanted pg_lsn) returns void language plpgsql as $$
begin
  if pg_is_in_recovery() and coalesce(pg_last_wal_replay_lsn() < wanted, true) then
    raise exception 'the replica has not come to % yet', wanted using errcode = 'AR001';
  end if;
end $$;

-- Whoever is told of a change, by a stream, a webhook or a list of events, must not read from before it: so what is
-- given its place in the log of events is noted as well, in the same transaction. Only where somebody reads from
-- replicas, which place 0 says.
create function events.note_moved() returns trigger language plpgsql as $$
begin
  if exists (select from read_fence where place = 0) then
    perform note_changed(array(
      select 'all:' || client_id from moved
      union select case when user_id is null then 'client:' || client_id else 'user:' || user_id end from moved));
  end if;
  return null;
end $$;
create trigger log_noted after insert on events.log referencing new table as moved
  for each statement execute function events.note_moved();

-- What was looked through for the few rows that are wanted of it.

-- Endpoints of webhooks: those that nobody serves, by when the last lease ended; whose lease it is; who holds leases.
create index endpoints_free on webhooks.endpoints ((coalesce(lease_until, '-infinity')))
  where status in ('active', 'failing');
create index endpoints_leased on webhooks.endpoints (lease) where lease is not null;
create index endpoints_held on webhooks.endpoints (lease_by) where lease_by is not null;

create index cardano_outputs_to_forget on cardano_outputs (network, spent_by) where spent_by is not null;

-- Differences by all that they are asked for by: each combination of values is walked no further than a page.
create index reconciliation_breaks_by_facet on reconciliation_breaks (rail, state, cause, break_id);
create index reconciliation_breaks_of_client_by_facet
  on reconciliation_breaks (client_id, rail, state, cause, break_id) where client_id is not null;
create index reconciliation_breaks_by_time on reconciliation_breaks (found_at, break_id);

-- How many conversions of a day's run are in each state, of a client and of all. Kept for a month.
create function tally_daily_conversions() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    perform tally('conversions of ' || c.day || w.whose, c.status, c.n, c.until)
    from (
      select day, client_id, status, sum(n) as n, service_now() + interval '31 days' as until
      from (select day, client_id, status, -1 as n from was union all select day, client_id, status, 1 from is_now) b
      where day is not null group by day, client_id, status having sum(n) <> 0) c
    cross join lateral (values (''), (' at ' || c.client_id)) w (whose);
  else
    perform tally('conversions of ' || c.day || w.whose, c.status, c.n, c.until)
    from (
      select day, client_id, status, count(*) as n, service_now() + interval '31 days' as until
      from is_now where day is not null group by day, client_id, status) c
    cross join lateral (values (''), (' at ' || c.client_id)) w (whose);
  end if;
  return null;
end $$;
create trigger conversion_jobs_tallied_new after insert on conversion_jobs
  referencing new table as is_now for each statement execute function tally_daily_conversions();
create trigger conversion_jobs_tallied after update on conversion_jobs
  referencing old table as was new table as is_now for each statement execute function tally_daily_conversions();
insert into tallies (subject, what, n, until)
select 'conversions of ' || day || whose, status, count(*), service_now() + interval '31 days'
from conversion_jobs cross join lateral (values (''), (' at ' || client_id)) w (whose)
where day is not null group by 1, 2;
