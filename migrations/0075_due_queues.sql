-- The queues in which something is due: one probe of an index for each, however many jobs wait in it or are done, and
-- whatever the table held when this was planned. Without a sort what is due first can be read only from an index in that
-- order: planned while few jobs are kept, a sort of all of a queue, done ones with them, would look cheaper, and would
-- stay the plan until the table is analyzed again (docs/decisions/0015). By the server's own clock, as all of the queue.
create function queues_due(names text[]) returns setof text
language plpgsql stable rows 10
set enable_seqscan = off
set enable_bitmapscan = off
set enable_sort = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  select q.name
  from unnest(names) as q (name)
  cross join lateral (
    select from pgboss.job_common j
    where j.name = q.name and j.state < 'active' and not j.blocked and j.start_after <= now()
    order by j.start_after limit 1
  ) as waiting;
end $$;
