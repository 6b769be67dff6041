-- Where a payment by virtual account is transferred to, as the gateway has named it (docs/design/payments.md).
alter table invoice_payments
  add accounts jsonb check (jsonb_typeof(accounts) = 'array');
