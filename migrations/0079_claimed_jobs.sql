-- Takes jobs of a queue that are due, at most so many, as pg-boss does, for whoever asks: those of the highest priority and
-- the oldest first, and none that another process is taking at that moment. A function for the reason of queues_due
-- (0075): as a statement it named the queue in its text and was planned anew each time, which cost the server more
-- than taking the jobs; and a plan that is kept has to be by the index, whatever the table held when it was made.
create function claim_jobs(queue text, room integer) returns table (
  id uuid, name text, data jsonb, "retryCount" integer, "retryLimit" integer, "singletonKey" text, "sourceOutput" jsonb
)
language plpgsql rows 5
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set enable_incremental_sort = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
  with next as materialized (
    select w.id from pgboss.job_common w
    where w.name = queue and w.state < 'active' and not w.blocked and w.start_after <= now()
    order by w.priority desc, w.created_on
    limit room
    for update skip locked
  )
  update pgboss.job_common j
  set state = 'active', started_on = now(), heartbeat_on = now(),
    retry_count = j.retry_count + (j.started_on is not null)::integer
  -- No join: planned while the table is small it would read all of the queue, done ones too, for each of these.
  where j.name = queue and j.id = any (array(select n.id from next as n))
  returning j.id, j.name, j.data, j.retry_count, j.retry_limit, j.singleton_key, j.source_output;
end $$;
