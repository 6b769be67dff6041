-- What a client's payments came to by day, kept and not counted: a page shows a month of them without reading one. A day is
-- one of UTC, and that of the payment's beginning, whatever becomes of it later. Changes are only added, so that no payment waits
-- for another, and are folded in every minute; both together are the figure at any moment. Client 0 is all clients together.
create table payment_days (
  client_id    integer not null,
  day          date not null,
  currency     text not null,
  direction    text not null,
  outcome      text not null,
  failure_code text not null,
  scale        smallint not null,
  n            bigint not null,
  units        numeric(78, 0) not null,
  primary key (client_id, day, currency, direction, outcome, failure_code)
) with (fillfactor = 70);
create table payment_day_changes (
  change_id    bigint generated always as identity primary key,
  client_id    integer not null,
  day          date not null,
  currency     text not null,
  direction    text not null,
  outcome      text not null,
  failure_code text not null,
  scale        smallint not null,
  n            bigint not null,
  units        numeric(78, 0) not null
);
create index payment_day_changes_of on payment_day_changes (client_id);

-- What has become of a payment, for figures: money that came back later had come.
create function payment_outcome(status text) returns text language sql immutable parallel safe
return case when status in ('PENDING', 'FAILED', 'CANCELLED') then status else 'SUCCEEDED' end;

create function count_payments() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into payment_day_changes (client_id, day, currency, direction, outcome, failure_code, scale, n, units)
    select client_id, (created_at at time zone 'UTC')::date, currency, direction, payment_outcome(status),
      case when status = 'FAILED' then coalesce(failure_code, '') else '' end, scale, count(*), sum(amount)
    from new_rows group by 1, 2, 3, 4, 5, 6, 7;
  else
    insert into payment_day_changes (client_id, day, currency, direction, outcome, failure_code, scale, n, units)
    select client_id, (created_at at time zone 'UTC')::date, currency, direction, payment_outcome(status),
      case when status = 'FAILED' then coalesce(failure_code, '') else '' end, scale, sum(sign), sum(sign * amount)
    from (select *, 1 as sign from new_rows union all select *, -1 from old_rows) changed
    group by 1, 2, 3, 4, 5, 6, 7 having sum(sign) <> 0 or sum(sign * amount) <> 0;
  end if;
  return null;
end;
$$;
create trigger payments_counted after insert on payments
  referencing new table as new_rows for each statement execute function count_payments();
create trigger payments_counted_again after update on payments
  referencing old table as old_rows new table as new_rows for each statement execute function count_payments();

insert into payment_days
select c.client_id, (created_at at time zone 'UTC')::date, currency, direction, payment_outcome(status),
  case when status = 'FAILED' then coalesce(failure_code, '') else '' end, scale, count(*), sum(amount)
from payments p cross join lateral (values (p.client_id), (0)) c (client_id)
group by 1, 2, 3, 4, 5, 6, 7;
