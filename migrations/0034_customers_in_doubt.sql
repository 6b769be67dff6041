-- Customers elsewhere that are not made yet, or not told everything, as effects: their sweep sees to them.
insert into effects (kind, id, calls)
select 'psp-customer', id::text, 1 from psp_customers where customer_id is null
union all
select 'psp-kyc', id::text, 1 from psp_customers
 where customer_id is not null and kyc_status is not null and kyc_status is distinct from kyc_synced;

insert into effects (kind, id, opened_at, calls)
select 'partner-customer', idempotency_key::text, keyed_at, 1 from partner_customers
 where customer_id is null;
