-- The page on which an invoice is paid (docs/design/payments.md).

alter table invoices
  -- Where the page leads its payer afterwards, and once the time is over.
  add return_url text check (return_url ~ '^https://' and length(return_url) <= 2000),
  add recovery_url text check (recovery_url ~ '^https://' and length(recovery_url) <= 2000),
  -- The ways to pay it; all where it names none.
  add methods text[];
