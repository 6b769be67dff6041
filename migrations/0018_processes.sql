-- Every process holds a lock under a number of its own for as long as it lives. What is claimed under
-- a number that nobody holds was claimed by a process that is gone, and is free at once.
create sequence process_numbers as integer cycle;

-- Takes the number that this session's process had before, if it had one and it is free, else a new
-- one. A lost session may live on at the server for a while, which a new number need not wait for.
create function hold_process_number(before integer) returns integer language plpgsql as $$
declare
  number integer := before;
begin
  while number is null or not pg_try_advisory_lock(7242006, number) loop
    number := nextval('process_numbers');
  end loop;
  return number;
end $$;

-- The session that holds a number; null when its process is gone. Reads the locks, where trying to
-- take one would for that moment look like the process itself.
create function process_session(number integer) returns integer language sql as $$
  select pid from pg_locks
  where locktype = 'advisory' and granted
    and database = (select oid from pg_database where datname = current_database())
    and classid = 7242006 and objid = number::oid and objsubid = 2
$$;

-- Null where the process could not have been missed; then only the lease counts.
alter table idempotency_keys add column holder integer;
