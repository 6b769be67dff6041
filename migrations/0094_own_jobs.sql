-- Jobs in a table of our own (docs/design/durable-work.md). A row names its job, waits, is run by one process at a time, and goes when it
-- has been done; what has failed at every attempt stays as a dead letter. By the server's own clock, as all of the queue.
create table jobs (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  -- What the job calls has it as its idempotency key; the id where there is none.
  key text,
  data jsonb not null,
  -- `retrying` waits as well, but holds up no other job of its key. `lapsed` is one that a process has taken in order to write
  -- down that the one before it is gone.
  state text not null default 'waiting' check (state in ('waiting', 'retrying', 'active', 'lapsed', 'dead')),
  -- While it is active: until when the process that runs it has it. It is due again after that.
  due_at timestamptz not null default now(),
  -- How many have begun. With the id it says which run is meant: no two runs have the same of both.
  attempt integer not null default 0,
  -- No other of its name is there until this one has ended.
  is_alone boolean not null default false,
  -- The client whose request has led to it, where that is known: each has its turn.
  client_id integer,
  created_at timestamptz not null default now(),
  error text,
  died_at timestamptz,
  check ((state = 'dead') = (died_at is not null))
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000,
  autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 2000);
create index jobs_due on jobs (name, due_at) include (state) where state <> 'dead';
-- From one client to the next.
create index jobs_turns on jobs (name, (coalesce(client_id, 0)), due_at) where state <> 'dead';
create unique index jobs_waiting on jobs (name, key) where state = 'waiting' and key is not null;
create unique index jobs_alone on jobs (name) where is_alone and state <> 'dead';
-- For who looks whether something still has its job.
create index jobs_keys on jobs (name, key) where state <> 'dead' and key is not null;
create index jobs_dead on jobs (name) where state = 'dead';
-- Newest first, as a person reads them.
create index jobs_died on jobs (died_at desc, id) where state = 'dead';

-- Ends runs that have done their work, each of which is the nth of its job, and answers which of them it has found: another
-- process may have taken one over. A function, since a plan that is kept has to be by the index, whatever the table held when
-- it was made: most of the time that is nothing.
create function end_jobs(ids uuid[], tries integer[]) returns setof uuid
language plpgsql rows 5
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  delete from jobs j using unnest(ids, tries) as ended (id, tried)
  where j.id = ended.id and j.state = 'active' and j.attempt = ended.tried
  returning j.id;
end $$;

-- Finds what is due of a kind, at most so many, of each client in its turn: of those after the one whose turn it was last, around to
-- that one itself, each the job that is due for longest, then each a second one. Jobs whose client is not known count as those of
-- one client. It steps from one client to the next by the index, over at most a thousand.
create function jobs_in_turn(kind text, room integer, turn integer) returns setof tid
language plpgsql rows 5
set enable_seqscan = off
set enable_bitmapscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_sort = off
set enable_incremental_sort = off
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  with recursive clients (client, is_due, found, step, around) as (
    values (turn, false, 0, 0, false)
    union all
    select n.client, n.is_due, c.found + n.is_due::integer, c.step + 1, n.around
    from clients c cross join lateral (
      (select coalesce(w.client_id, 0) as client, w.due_at <= now() as is_due, c.around
       from jobs w
       where w.name = kind and coalesce(w.client_id, 0) > c.client and w.state <> 'dead'
       order by w.name, coalesce(w.client_id, 0), w.due_at limit 1)
      union all
      (select coalesce(w.client_id, 0), w.due_at <= now(), true
       from jobs w
       where w.name = kind and w.state <> 'dead' and not c.around
       order by w.name, coalesce(w.client_id, 0), w.due_at limit 1)
      limit 1
    ) n
    where c.found < room and c.step < 1000 and not (n.around and n.client > turn)
  ), picked as materialized (
    select w.id from (select client, step from clients where is_due) c
    cross join lateral (
      select j.id, row_number() over () as lap from (
        select w.id from jobs w
        where w.name = kind and coalesce(w.client_id, 0) = c.client and w.state <> 'dead' and w.due_at <= now()
        order by w.name, coalesce(w.client_id, 0), w.due_at limit room
      ) j
    ) w
    order by w.lap, c.step limit room
  )
  select w.ctid from jobs w
  where w.id = any (array(select p.id from picked as p))
    -- So said, no other index looks as good as the key while the table is small.
    and case when w.state <> 'dead' and w.due_at <= now() then true else false end
  for update skip locked;
end $$;

-- One turn of a process: ends these runs as `end_jobs` does (their rows have no name), and takes what is due of these kinds,
-- which stand in the order in which they come, of each at most its room, and of all at most so many. Of a kind whose last turn is
-- given each client has its turn after that; of the others, and where turns leave room (another process takes those jobs, or they
-- lie behind a thousand clients with nothing due), what is due first comes first. What another process is taking, or a transaction
-- still writes, is passed over.
-- It steps by the index from one kind of which something is there to the next, and looks at the first that is due of it:
-- few kinds have any, of a hundred.
create function turn_jobs(ended uuid[], tries integer[], kinds text[], rooms integer[], turns integer[], most integer)
returns table (id uuid, name text, data jsonb, key text, attempt integer, error text, state text, client_id integer)
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
  kind text := '';
  first_due timestamptz;
  place integer;
  places integer[] := '{}';
  space integer := most;
  room integer;
  found_at tid[];
begin
  if cardinality(ended) > 0 then
    return query
    delete from jobs j using unnest(ended, tries) as over_now (id, tried)
    where j.id = over_now.id and j.state = 'active' and j.attempt = over_now.tried
    returning j.id, null::text, null::jsonb, null::text, null::integer, null::text, null::text, null::integer;
  end if;
  if most <= 0 then return; end if;
  loop
    select j.name, j.due_at into kind, first_due from jobs j
    where j.name > kind and j.state <> 'dead' order by j.name, j.due_at limit 1;
    exit when not found;
    place := array_position(kinds, kind);
    if place is not null and first_due <= now() then places := array_append(places, place); end if;
  end loop;
  if cardinality(places) > 1 then
    places := array(select p from unnest(places) as p order by p);
  end if;
  foreach place in array places loop
    exit when space <= 0;
    room := least(rooms[place], space);
    found_at := '{}';
    if turns[place] is not null then
      found_at := array(select t from jobs_in_turn(kinds[place], room, turns[place]) as t);
    end if;
    if cardinality(found_at) < room then
      found_at := found_at || array(
        select w.ctid from jobs w
        where w.name = kinds[place] and w.state <> 'dead' and w.due_at <= now() and w.ctid <> all (found_at)
        order by w.due_at limit room - cardinality(found_at)
        for update skip locked);
    end if;
    -- By its place, which nothing changes any more: it is locked.
    return query
    update jobs j
    set state = case when j.state in ('active', 'lapsed') then 'lapsed' else 'active' end,
      due_at = now() + interval '10 seconds',
      attempt = j.attempt + (j.state not in ('active', 'lapsed'))::integer
    where j.ctid = any (found_at)
    returning j.id, j.name, j.data, j.key, j.attempt, j.error, j.state, j.client_id;
    space := space - cardinality(found_at);
  end loop;
end $$;

-- Where pg-boss had the jobs until now, those that are not finished go over. Its schema stays for as long as a process of the
-- version before may run, which goes on with it: what that one adds goes over at once, what it takes comes from the table
-- above, and what it is running it may end only as long as no other process has taken it over. A later migration drops it.
do $migration$
begin
  if to_regclass('pgboss.job_common') is null then
    drop function queues_due(text[]);
    drop function due_queues();
    drop function take_jobs(text[], integer[], integer);
    drop function claim_jobs(text, integer);
    drop function take_in_turn(text[], integer[], text[], integer);
    drop function claim_in_turn(text, integer, text);
    drop function complete_jobs(text[], uuid[], integer[]);
    return;
  end if;

  -- Nobody takes, adds or ends one meanwhile.
  lock table pgboss.job_common in share row exclusive mode;
  insert into jobs (id, name, key, data, state, due_at, attempt, is_alone, client_id, created_at, error, died_at)
  select j.id,
    case when is_letter then coalesce(j.source_name, j.name) else j.name end,
    j.singleton_key,
    coalesce(j.data, 'null'),
    case
      when is_letter then 'dead'
      when j.state = 'active' then 'active'
      when j.state = 'retry' or j.policy = 'standard' then 'retrying'
      else 'waiting' end,
    case j.state
      when 'active' then coalesce(j.heartbeat_on, j.started_on, now()) + coalesce(j.heartbeat_seconds, 10) * interval '1 second'
      else j.start_after end,
    case when is_letter then coalesce(j.source_retry_count, 0) + 1 when j.state = 'created' then 0 else j.retry_count + 1 end,
    coalesce(j.policy = 'exclusive', false),
    j.group_id::integer,
    j.created_on,
    coalesce(j.source_output ->> 'message', j.source_output -> 'value' ->> 'message'),
    case when is_letter then j.created_on end
  from pgboss.job_common j, lateral (select j.name = 'dead' as is_letter) l
  where j.state in ('created', 'retry', 'active');
  -- What runs at this moment is ended there, see below.
  delete from pgboss.job_common where state in ('created', 'retry');

  execute $do$create function pgboss.job_goes_over() returns trigger language plpgsql as $f$
begin
  if new.state = 'failed' then
    delete from public.jobs where id = new.id and state = 'active';
  elsif new.state = 'retry' then
    update public.jobs set state = 'retrying', due_at = new.start_after where id = new.id and state = 'active';
    delete from pgboss.job_common where id = new.id and name = new.name;
  elsif new.state = 'created' then
    if new.name = 'dead' then
      insert into public.jobs (id, name, key, data, state, attempt, is_alone, client_id, error, died_at)
      values (new.id, coalesce(new.source_name, new.name), new.singleton_key, coalesce(new.data, 'null'), 'dead', coalesce(new.source_retry_count, 0) + 1,
        exists (select from pgboss.queue where name = new.source_name and policy = 'exclusive'),
        new.group_id::integer,
        coalesce(new.source_output ->> 'message', new.source_output -> 'value' ->> 'message'), new.created_on);
    elsif new.policy = 'standard' then
      insert into public.jobs (id, name, key, data, state, due_at, client_id, error)
      values (new.id, new.name, new.singleton_key, coalesce(new.data, 'null'), 'retrying', new.start_after, new.group_id::integer,
        coalesce(new.source_output ->> 'message', new.source_output -> 'value' ->> 'message'));
    elsif new.policy = 'exclusive' then
      insert into public.jobs (id, name, key, data, due_at, is_alone)
      values (new.id, new.name, new.singleton_key, coalesce(new.data, 'null'), new.start_after, true)
      on conflict do nothing;
    else
      insert into public.jobs as j (id, name, key, data, due_at, client_id)
      values (new.id, new.name, new.singleton_key, coalesce(new.data, 'null'), new.start_after, new.group_id::integer)
      on conflict (name, key) where state = 'waiting' and key is not null do update set due_at = least(j.due_at, excluded.due_at);
    end if;
    delete from pgboss.job_common where id = new.id and name = new.name;
    if new.start_after <= now() then perform pg_notify('jobs', new.name); end if;
  end if;
  return null;
end $f$$do$;
  execute $do$create trigger goes_over after insert on pgboss.job_common for each row execute function pgboss.job_goes_over()$do$;

  execute $do$create function pgboss.job_is_held() returns trigger language plpgsql as $f$
begin
  perform from public.jobs where id = old.id and state = 'active' and attempt = old.retry_count + 1 for update;
  if not found then return null; end if;
  if tg_op = 'DELETE' then return old; end if;
  if new.state = 'active' then
    update public.jobs set due_at = new.heartbeat_on + interval '10 seconds' where id = old.id;
  else
    delete from public.jobs where id = old.id;
  end if;
  return new;
end $f$$do$;
  execute $do$create trigger is_held before update or delete on pgboss.job_common
    for each row when (old.state = 'active') execute function pgboss.job_is_held()$do$;

  execute $do$create or replace function due_queues() returns setof text language sql stable rows 10 as $f$
  select distinct name from jobs where state in ('waiting', 'retrying') and due_at <= now()$f$$do$;

  -- Without turns of clients, which come with the next start.
  execute $do$create or replace function claim_in_turn(queue text, room integer, turn text) returns table (
  id uuid, name text, data jsonb, "retryCount" integer, "retryLimit" integer, "singletonKey" text, "sourceOutput" jsonb, "groupId" text
) language plpgsql rows 5 as $f$
#variable_conflict use_column
begin
  return query
  with next as materialized (
    select w.id from jobs w where w.name = queue and w.state in ('waiting', 'retrying') and w.due_at <= now()
    order by w.due_at limit room for update skip locked
  ), taken as (
    update jobs j set state = 'active', due_at = now() + interval '10 seconds', attempt = j.attempt + 1
    from next where j.id = next.id returning j.*
  )
  insert into pgboss.job_common as m (id, name, data, state, singleton_key, group_id, retry_count, start_after, created_on, started_on,
    heartbeat_on, source_output, keep_until, retry_limit, retry_delay, retry_backoff, retry_delay_max, expire_seconds,
    deletion_seconds, policy, dead_letter, heartbeat_seconds)
  select t.id, t.name, t.data, 'active', t.key, t.client_id::text, t.attempt - 1, now(), t.created_at, now(), now(),
    case when t.error is not null then jsonb_build_object('message', t.error) end,
    now() + q.retention_seconds * interval '1 second', q.retry_limit, q.retry_delay, q.retry_backoff, q.retry_delay_max,
    q.expire_seconds, q.deletion_seconds, q.policy, q.dead_letter, q.heartbeat_seconds
  from taken t join pgboss.queue q on q.name = t.name
  on conflict (name, id) do update set state = 'active', retry_count = excluded.retry_count, heartbeat_on = now()
  returning m.id, m.name, m.data, m.retry_count, m.retry_limit, m.singleton_key, m.source_output, m.group_id;
end $f$$do$;

  execute $do$create or replace function claim_jobs(queue text, room integer) returns table (
  id uuid, name text, data jsonb, "retryCount" integer, "retryLimit" integer, "singletonKey" text, "sourceOutput" jsonb
) language sql rows 5 as $f$
  select c.id, c.name, c.data, c."retryCount", c."retryLimit", c."singletonKey", c."sourceOutput"
  from claim_in_turn(queue, room, null) c$f$$do$;
end $migration$;
