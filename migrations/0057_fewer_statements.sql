-- What looks and then writes, or locks and then looks, as one statement: each statement of a volatile function sees
-- what was committed until then, so a look comes after the lock before it.

-- The account of that name, opened where there is none (kernel/ledger/accounts.ts). It `is_lasting` where this
-- transaction has not made it, which may be undone. Its parts were opened after it.
create function ledger.open_account(
  p_owner text, p_purpose text, p_asset text, p_may_go_negative boolean,
  out account_id bigint, out is_lasting boolean)
language plpgsql as $$
declare
  may_go_negative boolean;
begin
  loop
    select a.account_id, a.min_available is null,
           a.xmin::text is distinct from pg_current_xact_id_if_assigned()::xid::text
      into account_id, may_go_negative, is_lasting
      from ledger.accounts a
     where a.owner = p_owner and a.purpose = p_purpose and a.asset = p_asset
     order by a.account_id limit 1;
    if found and may_go_negative <> p_may_go_negative then
      raise exception '% % % was opened with another rule for its overdraft', p_owner, p_purpose, p_asset;
    end if;
    exit when found;
    insert into ledger.accounts as a (owner, purpose, asset, min_available)
    values (p_owner, p_purpose, p_asset, case when p_may_go_negative then null else 0 end)
    on conflict on constraint accounts_once do nothing
    returning a.account_id, false into account_id, is_lasting;
    exit when found;
    -- Another transaction has opened it meanwhile: the next look sees theirs.
  end loop;
end $$;

-- The next code of a month such as `CL-202611-0042`, for `CL-202611-`. Whoever else asks for one of the same month waits
-- until this transaction has ended, so no code comes twice and none is left out.
create function next_client_code(p_prefix text) returns text language plpgsql as $$
declare
  n integer;
begin
  perform pg_advisory_xact_lock(hashtextextended(p_prefix, 0));
  select substr(client_code, 11)::int + 1 into n from clients
   where left(client_code, 10) = p_prefix order by substr(client_code, 11)::int desc limit 1;
  n := coalesce(n, 1);
  return p_prefix || lpad(n::text, greatest(4, length(n::text)), '0');
end $$;

-- What that operation has made, if it has; until the transaction ends nobody else is at it.
create function hold_creation(p_operation uuid) returns setof account_creations language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(p_operation::text, 0));
  return query select * from account_creations where operation = p_operation;
end $$;
