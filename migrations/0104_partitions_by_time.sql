-- One way to make and to drop the partitions of a table that has one for each day or month. Each of three tables had
-- functions of its own, and two of them looked a partition up in a cache that does not see what the holder of the lock
-- before has made.

-- How long a partition of that table lasts; null for all other tables, whose partitions these functions leave alone.
create function partition_span(of_table text) returns interval language sql immutable as $$
  select case of_table
    when 'public.request_logs' then interval '1 day'
    when 'webhooks.attempts' then interval '1 day'
    when 'public.policy_decisions' then interval '1 month'
  end
$$;

-- The partition of that moment, and the one after it, so that a clock that moves on finds one. Answers how many it made.
create function provide_partitions(of_table text, at timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  span interval := partition_span(of_table);
  is_daily boolean := span = interval '1 day';
  begins timestamp;
  part name;
  made integer := 0;
  spaces name := split_part(of_table, '.', 1);
  parent name := split_part(of_table, '.', 2);
begin
  if span is null then
    raise exception 'table % has no partitions by time', of_table using errcode = 'invalid_parameter_value';
  end if;
  begins := date_trunc(case when is_daily then 'day' else 'month' end, at at time zone 'UTC');
  for n in 0 .. 1 loop
    part := parent || '_' || to_char(begins, case when is_daily then 'YYYYMMDD' else 'YYYYMM' end);
    if not exists (select from pg_class c join pg_namespace s on s.oid = c.relnamespace
                    where s.nspname = spaces and c.relname = part) then
      perform pg_advisory_xact_lock(7242009);
      -- By a statement of its own, which sees what the holder of the lock before has made.
      if not exists (select from pg_class c join pg_namespace s on s.oid = c.relnamespace
                      where s.nspname = spaces and c.relname = part) then
        execute format('create table %I.%I (like %I.%I including defaults including indexes including constraints)',
          spaces, part, spaces, parent);
        execute format('alter table %I.%I attach partition %I.%I for values from (%L) to (%L)',
          spaces, parent, spaces, part, begins || '+00', (begins + span) || '+00');
        made := made + 1;
      end if;
    end if;
    begins := begins + span;
  end loop;
  return made;
end $$;

-- Drops the partitions of that table that ended before then; answers how many.
create function forget_partitions(of_table text, before timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  span interval := partition_span(of_table);
  part record;
  dropped integer := 0;
begin
  if span is null then
    raise exception 'table % has no partitions by time', of_table using errcode = 'invalid_parameter_value';
  end if;
  for part in
    -- Of a month the name has no day.
    select c.oid::regclass as name, to_date(rpad(substring(c.relname from '\d+$'), 8, '01'), 'YYYYMMDD') as begins
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = of_table::regclass
  loop
    if part.begins + span <= (before at time zone 'UTC') then
      execute format('drop table %s', part.name);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end $$;

-- The names that processes of the version before call.
create or replace function provide_request_logs(at timestamptz) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select provide_partitions('public.request_logs', at)
$$;
create or replace function forget_request_logs(before timestamptz) returns integer
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select forget_partitions('public.request_logs', before)
$$;
create or replace function provide_policy_decisions(at timestamptz) returns integer
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select provide_partitions('public.policy_decisions', at)
$$;
create or replace function forget_policy_decisions(before timestamptz) returns integer
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select forget_partitions('public.policy_decisions', before)
$$;
create or replace function webhooks.provide(at timestamptz) returns void
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select provide_partitions('webhooks.attempts', at)
$$;
create or replace function webhooks.forget(before timestamptz) returns integer
language sql security definer set search_path = pg_catalog, public, pg_temp as $$
  select forget_partitions('webhooks.attempts', before)
$$;

-- Failures are few among the lines of requests, and what people look for. A path is looked for by itself.
create index request_logs_failed on request_logs (log_id desc) where status >= 400;
create index request_logs_failed_of_client on request_logs (client_id, log_id desc) where status >= 400;
create index request_logs_by_path on request_logs (client_id, path, log_id desc);
