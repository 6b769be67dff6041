-- Whether another client is ACTIVE is looked up wherever a client's part of a platform's day is counted: two of them are read.
create index clients_active on clients (client_id) where client_status = 'ACTIVE';

-- The first job that waits for each client, by queue (kernel/jobs/boss.ts makes it where the queue is installed later).
do $$
begin
  if to_regclass('pgboss.job_common') is not null then
    create index if not exists archipay_turns on pgboss.job_common (name, (coalesce(group_id, '')), start_after)
      where state < 'active' and not blocked;
  end if;
end $$;

-- Takes jobs of a queue that are due, at most so many, as claim_jobs (0079) does, but of each client in its turn: of those after
-- the one whose turn it was last, around to that one itself, each the one that is due for longest, then each a second one. Whose
-- client is not known counts as one client. It steps from one client to the next by the index. What other processes take at the same
-- moment, and what lies behind a thousand clients of which nothing is due, is made up for by the oldest of all.
create function claim_in_turn(queue text, room integer, turn text) returns table (
  id uuid, name text, data jsonb, "retryCount" integer, "retryLimit" integer, "singletonKey" text, "sourceOutput" jsonb,
  "groupId" text
)
language plpgsql rows 5
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_sort = off
set enable_incremental_sort = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  taken integer := 0;
begin
  if turn is not null then
    return query
    with recursive clients (client, is_due, found, step, around) as (
      values (turn, false, 0, 0, false)
      union all
      select n.client, n.is_due, c.found + n.is_due::integer, c.step + 1, n.around
      from clients c cross join lateral (
        (select coalesce(w.group_id, '') as client, w.start_after <= now() as is_due, c.around
         from pgboss.job_common w
         where w.name = queue and coalesce(w.group_id, '') > c.client and w.state < 'active' and not w.blocked
         order by w.name, coalesce(w.group_id, ''), w.start_after limit 1)
        union all
        (select coalesce(w.group_id, ''), w.start_after <= now(), true
         from pgboss.job_common w
         where w.name = queue and w.state < 'active' and not w.blocked and not c.around
         order by w.name, coalesce(w.group_id, ''), w.start_after limit 1)
        limit 1
      ) n
      where c.found < room and c.step < 1000 and not (n.around and n.client > turn)
    ), picked as materialized (
      select w.id from (select client, step from clients where is_due) c
      cross join lateral (
        select j.id, row_number() over () as lap from (
          select w.id from pgboss.job_common w
          where w.name = queue and coalesce(w.group_id, '') = c.client and w.state < 'active' and not w.blocked
            and w.start_after <= now()
          order by w.name, coalesce(w.group_id, ''), w.start_after limit room
        ) j
      ) w
      order by w.lap, c.step limit room
    ), next as materialized (
      select w.id from pgboss.job_common w
      where w.name = queue and w.id = any (array(select p.id from picked as p))
        -- So said, no index of all that waits looks as good as the key while the table is small.
        and case when w.state < 'active' then true else false end
      for update skip locked
    )
    update pgboss.job_common j
    set state = 'active', started_on = now(), heartbeat_on = now(),
      retry_count = j.retry_count + (j.started_on is not null)::integer
    where j.name = queue and j.id = any (array(select n.id from next as n))
    returning j.id, j.name, j.data, j.retry_count, j.retry_limit, j.singleton_key, j.source_output, j.group_id;
    get diagnostics taken = row_count;
  end if;
  if taken < room then
    return query
    with next as materialized (
      select w.id from pgboss.job_common w
      where w.name = queue and w.state < 'active' and not w.blocked and w.start_after <= now()
      order by w.priority desc, w.created_on
      limit room - taken
      for update skip locked
    )
    update pgboss.job_common j
    set state = 'active', started_on = now(), heartbeat_on = now(),
      retry_count = j.retry_count + (j.started_on is not null)::integer
    where j.name = queue and j.id = any (array(select n.id from next as n))
    returning j.id, j.name, j.data, j.retry_count, j.retry_limit, j.singleton_key, j.source_output, j.group_id;
  end if;
end $$;

-- As take_jobs (0080), of each queue by its turn: without one those that are due for longest, whoever they are of.
create function take_in_turn(queues text[], rooms integer[], turns text[], most integer) returns table (
  id uuid, name text, data jsonb, "retryCount" integer, "retryLimit" integer, "singletonKey" text, "sourceOutput" jsonb,
  "groupId" text
)
language plpgsql rows 5
as $$
#variable_conflict use_column
declare
  space integer := most;
  taken integer;
begin
  for place in 1 .. cardinality(queues) loop
    exit when space <= 0;
    return query select * from claim_in_turn(queues[place], least(rooms[place], space), turns[place]);
    get diagnostics taken = row_count;
    space := space - taken;
  end loop;
end $$;

-- Partitions come and go as the owner of the schema makes and drops them: a role that only works with the tables may own none.
alter function events.provide(bigint, bigint) security definer set search_path = pg_catalog, public, pg_temp;
alter function events.forget(timestamptz) security definer set search_path = pg_catalog, public, pg_temp;
alter function webhooks.provide(timestamptz) security definer set search_path = pg_catalog, public, pg_temp;
alter function webhooks.forget(timestamptz) security definer set search_path = pg_catalog, public, pg_temp;
