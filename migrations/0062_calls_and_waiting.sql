-- When an effect was last called, which may be long after it was begun: what was not seen there for so long since
-- the call never left us. Of those that the version before has called, only when they were begun is known.
alter table effects add column called_at timestamptz;

-- Conversions that wait for their rupiah, in the order in which they are looked at, each state by itself.
create index conversion_jobs_waiting on conversion_jobs (status, waiting_since, job_id)
  where status in ('WAITING_EXCHANGE', 'TIMEOUT');
