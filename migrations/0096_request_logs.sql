-- What was requested of the API, for the people whose keys and log-ins it was: seven days, a partition a day. No bodies,
-- no query values. A path is the declared one.
create sequence request_log_ids;
create table request_logs (
  log_id      bigint not null default nextval('request_log_ids'),
  at          timestamptz not null,
  request_id  text not null,
  method      text not null,
  path        text not null,
  status      smallint not null,
  ms          real not null,
  error_code  text,
  key_id      integer,
  key_prefix  text,
  client_id   integer,
  user_id     integer,
  network     text,
  api_version text,
  idempotency text not null check (idempotency in ('none', 'first', 'replayed')),
  dry_run     boolean not null default false,
  object_type text,
  object_id   text,
  primary key (log_id, at),
  check ((object_type is null) = (object_id is null))
) partition by range (at);
create index request_logs_of_client on request_logs (client_id, log_id desc);
create index request_logs_of_user on request_logs (user_id, log_id desc) where user_id is not null;
create index request_logs_by_request on request_logs (request_id);

-- The partition of a day and of the next one, so that a clock that moves on finds one.
create function provide_request_logs(at timestamptz) returns void
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  first date := (at at time zone 'UTC')::date;
  name text;
begin
  perform pg_advisory_xact_lock(7242010);
  for n in 0 .. 1 loop
    name := 'request_logs_' || to_char(first + n, 'YYYYMMDD');
    if to_regclass('public.' || name) is null then
      execute format('create table public.%I (like public.request_logs including defaults including indexes including constraints)', name);
      execute format('alter table public.request_logs attach partition public.%I for values from (%L) to (%L)',
        name, (first + n)::text || ' 00:00+00', (first + n + 1)::text || ' 00:00+00');
    end if;
  end loop;
end $$;

-- Drops the days before that one; answers how many.
create function forget_request_logs(before timestamptz) returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  part record;
  dropped integer := 0;
begin
  for part in
    select c.oid::regclass as name, to_date(substr(c.relname, 14), 'YYYYMMDD') as day
      from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'public.request_logs'::regclass
  loop
    if part.day < (before at time zone 'UTC')::date then
      execute format('drop table %s', part.name);
      dropped := dropped + 1;
    end if;
  end loop;
  return dropped;
end $$;
