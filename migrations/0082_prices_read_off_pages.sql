-- By whose word a product has its price: its page, as we read it, or the caller, whom only mock mode believes. Of
-- orders made before nothing is known but what their callers said.
alter table purchase_orders add column price_source text not null default 'CALLER'
  check (price_source in ('PAGE', 'CALLER'));
