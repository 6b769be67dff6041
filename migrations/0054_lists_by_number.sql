-- Lists that are asked for by offset and say how many rows they have. The rows of an owner are numbered without
-- a gap, so that a page begins at its number however deep it is, and are counted by what lists are asked for.

-- `{}`: how many there are in all, which is the number of the newest. Otherwise how many have these values in
-- the columns that the list is asked for by.
create table list_counts (
  list  text not null,
  owner integer not null references users,
  facet text[] not null,
  n     bigint not null check (n >= 0),
  primary key (list, owner, facet)
) with (fillfactor = 70);

-- The next number. Whoever takes one makes those of the same owner wait until its transaction ends, so that
-- none is lost and none is seen before the one below it.
create function next_in_list(p_list text, p_owner integer) returns bigint language sql as $$
  insert into list_counts as c (list, owner, facet, n) values (p_list, p_owner, '{}', 1)
  on conflict (list, owner, facet) do update set n = c.n + 1 returning n
$$;

-- Arguments: the list and the column of its number, for each list that the row is in.
create function number_in_lists() returns trigger language plpgsql as $$
declare
  numbers jsonb := '{}';
begin
  for i in 0 .. tg_nargs / 2 - 1 loop
    numbers := numbers
      || jsonb_build_object(tg_argv[2 * i + 1], next_in_list(tg_argv[2 * i], new.user_id));
  end loop;
  return jsonb_populate_record(new, numbers);
end $$;

-- Arguments: the list and the columns that it is asked for by. Always in the order of the values, so that two
-- who change the same counts wait for each other and never deadlock.
create function count_in_list() returns trigger language plpgsql as $$
declare
  owner_id integer;
  facets text[] := tg_argv[1:];
  old_facet text[];
  new_facet text[];
  change record;
begin
  if tg_op <> 'INSERT' then
    owner_id := old.user_id;
    select array_agg(to_jsonb(old) ->> f order by n) into old_facet
      from unnest(facets) with ordinality c(f, n);
  end if;
  if tg_op <> 'DELETE' then
    owner_id := new.user_id;
    select array_agg(to_jsonb(new) ->> f order by n) into new_facet
      from unnest(facets) with ordinality c(f, n);
  end if;
  if old_facet = new_facet then return null; end if;
  for change in
    select facet, step from (values (old_facet, -1), (new_facet, 1)) v(facet, step)
     where facet is not null order by facet
  loop
    if change.step = 1 then
      insert into list_counts as c (list, owner, facet, n) values (tg_argv[0], owner_id, change.facet, 1)
      on conflict (list, owner, facet) do update set n = c.n + 1;
    else
      update list_counts set n = n - 1
       where list = tg_argv[0] and owner = owner_id and facet = change.facet;
    end if;
  end loop;
  return null;
end $$;

-- Transfers across chains, and with the sends everything that left a user's wallets.
alter table crosschain_transfers add column ordinal bigint default 0, add column movement bigint default 0;
update crosschain_transfers t set ordinal = n.ordinal
from (select log_id, row_number() over (partition by user_id order by serial) as ordinal
      from crosschain_transfers) n where n.log_id = t.log_id;
alter table onchain_transactions add column ordinal bigint default 0, add column movement bigint default 0;
update onchain_transactions t set ordinal = n.ordinal
from (select id, row_number() over (partition by user_id order by created_at, id) as ordinal
      from onchain_transactions) n where n.id = t.id;
create temporary table movements on commit drop as
  select kind, place, row_number() over (partition by user_id order by created_at, kind, place) as movement
  from (select user_id, created_at, 'crosschain' as kind, serial as place from crosschain_transfers
        union all
        select user_id, created_at, 'onchain', id from onchain_transactions) m;
update crosschain_transfers t set movement = m.movement
from movements m where m.kind = 'crosschain' and m.place = t.serial;
update onchain_transactions t set movement = m.movement
from movements m where m.kind = 'onchain' and m.place = t.id;

-- The burn's hash alone finds it, too.
drop index crosschain_by_user, crosschain_burn_once;
create unique index crosschain_burn_once on crosschain_transfers (burn_tx_hash, from_chain);
alter table crosschain_transfers
  alter column ordinal set not null,
  alter column movement set not null,
  add constraint crosschain_transfers_numbered unique (user_id, ordinal),
  add constraint crosschain_transfers_movement unique (user_id, movement) deferrable;
create index crosschain_transfers_by_facet
  on crosschain_transfers (user_id, from_chain, to_chain, status, ordinal);
create index crosschain_transfers_by_time on crosschain_transfers (user_id, created_at, ordinal);

drop index onchain_transactions_newest;
alter table onchain_transactions
  alter column ordinal set not null,
  alter column movement set not null,
  add constraint onchain_transactions_numbered unique (user_id, ordinal) deferrable,
  add constraint onchain_transactions_movement unique (user_id, movement) deferrable;
create index onchain_transactions_by_facet
  on onchain_transactions (user_id, chain_id, token_symbol, status, ordinal);
create index onchain_transactions_by_time on onchain_transactions (user_id, created_at, ordinal);

insert into list_counts (list, owner, facet, n)
select 'crosschain', user_id, '{}'::text[], max(ordinal) from crosschain_transfers group by user_id
union all
select 'onchain', user_id, '{}', max(ordinal) from onchain_transactions group by user_id
union all
select 'movements', user_id, '{}', max(movement)
from (select user_id, movement from crosschain_transfers
      union all select user_id, movement from onchain_transactions) m group by user_id
union all
select 'crosschain', user_id, array[from_chain, to_chain, status], count(*)
from crosschain_transfers group by user_id, from_chain, to_chain, status
union all
select 'onchain', user_id, array[chain_id, token_symbol, status], count(*)
from onchain_transactions group by user_id, chain_id, token_symbol, status
union all
select 'movements', user_id, array[status], count(*)
from (select user_id, status from crosschain_transfers
      union all select user_id, status from onchain_transactions) m group by user_id, status;

create trigger crosschain_transfers_numbered before insert on crosschain_transfers
  for each row execute function number_in_lists('crosschain', 'ordinal', 'movements', 'movement');
create trigger crosschain_transfers_counted
  after insert or delete or update of from_chain, to_chain, status on crosschain_transfers
  for each row execute function count_in_list('crosschain', 'from_chain', 'to_chain', 'status');
create trigger crosschain_transfers_counted_as_movement
  after insert or delete or update of status on crosschain_transfers
  for each row execute function count_in_list('movements', 'status');

-- An owner may have reported what we are about to write down. Such a row is not inserted, and takes no number.
create function number_onchain_transaction() returns trigger language plpgsql as $$
begin
  -- Whoever inserts one of the same user is waited for here, and seen below.
  insert into list_counts as c (list, owner, facet, n) values ('onchain', new.user_id, '{}', 0)
  on conflict (list, owner, facet) do update set n = c.n;
  new.ordinal := 0;
  new.movement := 0;
  if not exists (select from onchain_transactions t where t.user_id = new.user_id
                 and t.chain_id = new.chain_id and t.tx_hash = new.tx_hash) then
    new.ordinal := next_in_list('onchain', new.user_id);
    new.movement := next_in_list('movements', new.user_id);
  end if;
  return new;
end $$;
-- What is taken out makes those above it move down; it was reported a moment ago, so they are few.
create function close_onchain_gap() returns trigger language plpgsql as $$
begin
  update list_counts set n = n - 1 where owner = old.user_id and facet = '{}' and list = 'onchain';
  update list_counts set n = n - 1 where owner = old.user_id and facet = '{}' and list = 'movements';
  update onchain_transactions set ordinal = ordinal - 1
   where user_id = old.user_id and ordinal > old.ordinal;
  update onchain_transactions set movement = movement - 1
   where user_id = old.user_id and movement > old.movement;
  update crosschain_transfers set movement = movement - 1
   where user_id = old.user_id and movement > old.movement;
  return null;
end $$;
create trigger onchain_transactions_numbered before insert on onchain_transactions
  for each row execute function number_onchain_transaction();
create trigger onchain_transactions_gone after delete on onchain_transactions
  for each row execute function close_onchain_gap();
create trigger onchain_transactions_counted
  after insert or delete or update of chain_id, token_symbol, status on onchain_transactions
  for each row execute function count_in_list('onchain', 'chain_id', 'token_symbol', 'status');
create trigger onchain_transactions_counted_as_movement
  after insert or delete or update of status on onchain_transactions
  for each row execute function count_in_list('movements', 'status');

-- Rupiah tokens.
alter table idr_mints add column ordinal bigint default 0;
update idr_mints t set ordinal = n.ordinal
from (select mint_id, row_number() over (partition by user_id order by mint_id) as ordinal
      from idr_mints) n where n.mint_id = t.mint_id;
alter table idr_redeems add column ordinal bigint default 0;
update idr_redeems t set ordinal = n.ordinal
from (select redeem_id, row_number() over (partition by user_id order by redeem_id) as ordinal
      from idr_redeems) n where n.redeem_id = t.redeem_id;
drop trigger idr_mints_counted on idr_mints;
drop trigger idr_redeems_counted on idr_redeems;
drop function count_idr_transaction();
drop index idr_mints_of_user, idr_mints_of_user_by_status, idr_redeems_of_user, idr_redeems_of_user_by_status;
alter table idr_mints alter column ordinal set not null,
  add constraint idr_mints_numbered unique (user_id, ordinal);
alter table idr_redeems alter column ordinal set not null,
  add constraint idr_redeems_numbered unique (user_id, ordinal);
create index idr_mints_by_facet on idr_mints (user_id, status, ordinal);
create index idr_mints_by_time on idr_mints (user_id, created_at, ordinal);
create index idr_redeems_by_facet on idr_redeems (user_id, status, ordinal);
create index idr_redeems_by_time on idr_redeems (user_id, created_at, ordinal);
insert into list_counts (list, owner, facet, n)
select 'idr_mints', user_id, '{}'::text[], max(ordinal) from idr_mints group by user_id
union all
select 'idr_redeems', user_id, '{}', max(ordinal) from idr_redeems group by user_id
union all
select case kind when 'MINT' then 'idr_mints' else 'idr_redeems' end, user_id, array[status], n from idr_counts;
drop table idr_counts;
create trigger idr_mints_numbered before insert on idr_mints
  for each row execute function number_in_lists('idr_mints', 'ordinal');
create trigger idr_mints_counted after insert or delete or update of status on idr_mints
  for each row execute function count_in_list('idr_mints', 'status');
create trigger idr_redeems_numbered before insert on idr_redeems
  for each row execute function number_in_lists('idr_redeems', 'ordinal');
create trigger idr_redeems_counted after insert or delete or update of status on idr_redeems
  for each row execute function count_in_list('idr_redeems', 'status');

-- Orders of the marketplace, which had numbers and counts of their own.
drop trigger marketplace_orders_counted on marketplace_orders;
drop function count_marketplace_order();
drop index marketplace_orders_by_status;
create index marketplace_orders_by_facet on marketplace_orders (user_id, payment_status, ordinal);
create index marketplace_orders_by_time on marketplace_orders (user_id, created_at, ordinal);
insert into list_counts (list, owner, facet, n)
select 'marketplace_orders', user_id, '{}'::text[], orders from marketplace_customers
union all
select 'marketplace_orders', user_id, array[status], n from marketplace_counts;
drop table marketplace_counts, marketplace_customers;
alter table marketplace_orders alter column ordinal set default 0;
create trigger marketplace_orders_numbered before insert on marketplace_orders
  for each row execute function number_in_lists('marketplace_orders', 'ordinal');
create trigger marketplace_orders_counted
  after insert or delete or update of payment_status on marketplace_orders
  for each row execute function count_in_list('marketplace_orders', 'payment_status');

-- How far ledger:verify has come, which goes on from there every few minutes. An entry that it has seen is not looked
-- at again but by a full pass: the triggers of the ledger refuse whoever would change one.
create table ledger.verified_accounts (
  account_id bigint primary key,
  seq        bigint not null,
  posted     numeric(38, 0) not null,
  held       numeric(38, 0) not null,
  moves      bigint not null,
  volume     numeric(38, 0) not null
) with (fillfactor = 60);
create table ledger.verification (
  single        boolean primary key default true check (single),
  -- Transfers up to here have been verified.
  upto          bigint not null default 0,
  -- Those up to here are there, or never will be.
  decided       bigint not null default 0,
  -- So will those up to here be, once every transaction before that one has ended.
  next_decided  bigint not null default 0,
  next_xid      xid8 not null default '0',
  verified_at   timestamptz,
  -- The last pass over everything.
  whole_at      timestamptz,
  -- What was found broken since the last whole pass that found nothing: rules with their breaks.
  broken        jsonb not null default '[]'
);
insert into ledger.verification default values;

-- Where a time begins in what is numbered in the order of its times, found by halving: an index of times would cost
-- every posting something. What is made in the same moment by several may be a few milliseconds out of order.

-- The number of an account's first entry of that time or later; one more than its last where there is none.
create function ledger.seq_since(p_account bigint, p_at timestamptz) returns bigint
language plpgsql stable parallel safe as $$
declare
  below bigint := 0;
  above bigint := 1 + coalesce((select seq from ledger.accounts where account_id = p_account), 0);
  middle bigint;
  at timestamptz;
begin
  while above - below > 1 loop
    middle := (below + above) / 2;
    select t.created_at into at from ledger.entries e join ledger.transfers t using (transfer_id)
     where e.account_id = p_account and e.seq = middle;
    if at < p_at then below := middle; else above := middle; end if;
  end loop;
  return above;
end $$;

-- Likewise the id of the first card transaction, over all wallets. Some ids are left out.
create function card_transactions_since(p_at timestamptz) returns bigint
language plpgsql stable parallel safe as $$
declare
  below bigint := 0;
  above bigint := 1 + coalesce((select max(id) from card_transactions), 0);
  middle bigint;
  next record;
begin
  while above - below > 1 loop
    middle := (below + above) / 2;
    select id, created_at into next from card_transactions where id >= middle order by id limit 1;
    if next.id < above and next.created_at < p_at then below := next.id; else above := middle; end if;
  end loop;
  return above;
end $$;

-- Work that is found by what is still to be done, in the order in which it is done.
drop index crosschain_unreconciled;
create index crosschain_unreconciled on crosschain_transfers ((coalesce(checked_at, '-infinity')), serial)
  where status = 'MINTED' and reconciled_at is null;
create index agent_confirmations_under_way on agent_confirmations (user_id) where status = 'CONFIRMED';
create index xrpl_journal_expired on xrpl_journal (reference, journal_id) where status = 'EXPIRED';
drop index bank_top_ups_settled_at, bank_top_ups_returned_at;
create index bank_top_ups_settled_at on bank_top_ups (settled_at, transfer_id)
  where not simulated and settled_at is not null;
create index bank_top_ups_returned_at on bank_top_ups (returned_at, transfer_id)
  where returned_at is not null;
