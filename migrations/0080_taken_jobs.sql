-- The queues in which something is due. It steps from one queue in which something waits to the next by the index, and looks
-- at the first that waits there: few queues have any, and there are a hundred, each of which queues_due (0075) was told of
-- and looked at. A function for its reason.
create function due_queues() returns setof text
language plpgsql stable rows 10
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_incremental_sort = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  with recursive waiting (name) as (
    (select j.name from pgboss.job_common j where j.state < 'active' and not j.blocked
     order by j.name, j.start_after limit 1)
    union all
    select (select j.name from pgboss.job_common j
            where j.name > w.name and j.state < 'active' and not j.blocked
            order by j.name, j.start_after limit 1)
    from waiting w where w.name is not null
  )
  select w.name from waiting w
  cross join lateral (
    select from pgboss.job_common j
    where j.name = w.name and j.state < 'active' and not j.blocked and j.start_after <= now()
    order by j.start_after limit 1
  ) as due;
end $$;

-- Takes jobs that are due from these queues, in their order: of each at most its room, and of all at most so many. At a full
-- minute a dozen schedules are due at once, and each was taken by a statement of its own.
create function take_jobs(queues text[], rooms integer[], most integer) returns table (
  id uuid, name text, data jsonb, "retryCount" integer, "retryLimit" integer, "singletonKey" text, "sourceOutput" jsonb
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
    return query select * from claim_jobs(queues[place], least(rooms[place], space));
    get diagnostics taken = row_count;
    space := space - taken;
  end loop;
end $$;

-- Ends runs that have done their work, each of which is the nth of its job, whichever queues they are of, and answers which
-- of them it has found: another process may have taken one over.
create function complete_jobs(queues text[], ids uuid[], tries integer[]) returns setof uuid
language plpgsql rows 5
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  update pgboss.job_common j set state = 'completed', completed_on = now(), output = null
  from unnest(queues, ids, tries) as ended (queue, id, tried)
  where j.name = ended.queue and j.id = ended.id and j.state = 'active' and j.retry_count = ended.tried
  returning j.id;
end $$;
