-- Rows that are open until they have an end, each taken on by a job: calls in doubt, flows, and what others have sent. One that is
-- stalled has no job, and waits for a person. A flow in a step that calls something has the job of its effect, and none of its own.
create view work as
select 'effect' as what, e.kind as kind, e.id, e.kind as place, 'effect.' || e.kind as job, e.id as job_key,
  e.opened_at as since, e.stalled_at, e.steps -> -1 ->> 'note' as error
from effects e where e.state = 'OPEN'
union all
select 'flow', s.type, s.id, s.type || ' in ' || s.state,
  case when not exists (
    select from effects e
    where e.kind = 'saga.' || s.type || '.' || s.state and e.id = s.id || ':' || s.version and e.state = 'OPEN'
  ) then 'saga.' || s.type end,
  s.id || ':' || s.version, s.updated_at, s.stalled_at, s.last_error
from sagas s where not s.finished
union all
select 'inbox', i.source, i.id, i.source, 'inbox.' || i.source, i.id, i.waits_since, i.stalled_at, i.last_error
from inbox i where i.processed_at is null;
