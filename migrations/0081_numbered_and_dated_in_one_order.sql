-- Rows of one owner are dated in the order of their numbers. A time that the service took before it waited for
-- another row of that owner was earlier than that row's time, so that a filter by time left rows out.

-- Of the facet `{}`: the time of the row that has the newest number.
alter table list_counts add column newest timestamptz;
update list_counts c set newest = t.newest
from (select 'crosschain' as list, user_id, max(created_at) as newest from crosschain_transfers group by user_id
      union all select 'onchain', user_id, max(created_at) from onchain_transactions group by user_id
      union all select 'movements', user_id, max(created_at)
        from (select user_id, created_at from crosschain_transfers
              union all select user_id, created_at from onchain_transactions) m group by user_id
      union all select 'idr_mints', user_id, max(created_at) from idr_mints group by user_id
      union all select 'idr_redeems', user_id, max(created_at) from idr_redeems group by user_id
      union all select 'marketplace_orders', user_id, max(created_at) from marketplace_orders group by user_id) t
where c.list = t.list and c.owner = t.user_id and c.facet = '{}';

-- Rows that are dated before one with a lower number get that one's time.
create function pg_temp.date_in_order(p_table regclass, p_number text) returns void language plpgsql as $$
begin
  execute format(
    'update %1$s t set created_at = n.latest
     from (select user_id, %2$I as number,
             max(created_at) over (partition by user_id order by %2$I) as latest from %1$s) n
     where n.user_id = t.user_id and n.number = t.%2$I and n.latest > t.created_at',
    p_table, p_number);
end $$;
select pg_temp.date_in_order(t, 'ordinal')
from unnest(array['crosschain_transfers', 'onchain_transactions', 'idr_mints', 'idr_redeems',
  'marketplace_orders']::regclass[]) t;

drop function next_in_list(text, integer);
-- The next number, and the time of its row: `p_at`, or that of the row before where that is later. The next row of
-- the same owner waits until this transaction ends, so that none is lost and none is seen before the one below it.
create function next_in_list(p_list text, p_owner integer, p_at timestamptz, out n bigint, out at timestamptz)
language sql as $$
  insert into list_counts as c (list, owner, facet, n, newest) values (p_list, p_owner, '{}', 1, p_at)
  on conflict (list, owner, facet) do update set n = c.n + 1, newest = greatest(c.newest, excluded.newest)
  returning c.n, c.newest
$$;

-- Arguments: the list and the column of its number, for each list that the row is in. Of two lists the second holds
-- the rows of the first, so that its time is the later one.
create or replace function number_in_lists() returns trigger language plpgsql as $$
declare
  given timestamptz := new.created_at;
  changes jsonb := '{}';
  place record;
begin
  for i in 0 .. tg_nargs / 2 - 1 loop
    place := next_in_list(tg_argv[2 * i], new.user_id, new.created_at);
    new.created_at := place.at;
    changes := changes || jsonb_build_object(tg_argv[2 * i + 1], place.n);
  end loop;
  -- No row changes before it is made.
  if new.created_at > given then
    changes := jsonb_build_object('updated_at', new.created_at) || changes;
  end if;
  return jsonb_populate_record(new, changes);
end $$;

create or replace function number_onchain_transaction() returns trigger language plpgsql as $$
declare
  place record;
begin
  -- Another insert of the same user is waited for here, and seen below.
  insert into list_counts as c (list, owner, facet, n) values ('onchain', new.user_id, '{}', 0)
  on conflict (list, owner, facet) do update set n = c.n;
  new.ordinal := 0;
  new.movement := 0;
  if not exists (select from onchain_transactions t where t.user_id = new.user_id
                 and t.chain_id = new.chain_id and t.tx_hash = new.tx_hash) then
    place := next_in_list('onchain', new.user_id, new.created_at);
    new.created_at := place.at;
    new.ordinal := place.n;
    place := next_in_list('movements', new.user_id, new.created_at);
    new.created_at := place.at;
    new.movement := place.n;
  end if;
  return new;
end $$;

-- Histories of Cardano and the XRP Ledger go by time, then by number.
drop index xrpl_transactions_of_status, cardano_steps_of_status;
create index xrpl_transactions_of_status on xrpl_transactions (user_id, status, created_at desc, id desc);
create index cardano_steps_of_status on cardano_steps (user_id, status, created_at desc, step_id desc);

-- The service's time of this moment, where service_time is that at which the transaction began.
create view service_clock as
select clock_timestamp() + coalesce(
  (select value::float8 from service_state where name = 'clock_offset_ms'), 0
) * interval '1 millisecond' as at;
create function service_moment() returns timestamptz language sql volatile parallel safe
return (select at from service_clock);

-- Entries of an account are dated in the order of their numbers: the ledger's function takes the time when it has
-- locked the accounts, not when the transaction began.
do $$ begin
  execute replace(pg_get_functiondef('ledger.post'::regproc), 'public.service_time', 'public.service_clock');
end $$;

-- A client is dated when it is numbered, however long its transaction waited before.
alter table clients alter column created set default service_moment();

-- Where a client's days begin and end, where a request names no time zone.
alter table clients add column time_zone text not null default 'UTC'
  check (time_zone ~ '^[A-Za-z0-9_+/-]{1,64}$');
update clients set time_zone = z.zone
from (values ('ID', 'Asia/Jakarta'), ('SG', 'Asia/Singapore'), ('US', 'America/New_York'),
  ('IN', 'Asia/Kolkata'), ('AU', 'Australia/Sydney'), ('VN', 'Asia/Ho_Chi_Minh')) z(country, zone)
where z.country = clients.country_code;
