-- How invoices can be paid, and within which amounts (docs/design/payments.md). A client's row only narrows the
-- operator's, which is without a client. Fees are rows of fees.
create table invoice_methods (
  method_id  integer generated always as identity primary key,
  client_id  integer references clients,
  method     text not null check (method in ('wallet', 'qris', 'va', 'ewallet')),
  currency   text not null references ledger.assets,
  -- In units of the currency.
  least      numeric(38, 0) not null check (least > 0),
  most       numeric(38, 0) not null,
  refunds    text not null check (refunds in ('in_parts', 'once')),
  -- When the merchant has the money: with the payment itself.
  settles    text not null check (settles in ('at_once')),
  constraint invoice_methods_amounts check (most >= least),
  constraint invoice_methods_rupiah check (method = 'wallet' or currency = 'IDR'),
  unique nulls not distinct (client_id, method, currency)
);
insert into invoice_methods (method, currency, least, most, refunds, settles) values
  ('qris', 'IDR', 100000, 1000000000, 'in_parts', 'at_once'),
  ('va', 'IDR', 1000000, 5000000000, 'in_parts', 'at_once'),
  ('ewallet', 'IDR', 100000, 1000000000, 'in_parts', 'at_once'),
  -- Fifteen digits before the point are an amount; a wallet takes any.
  ('wallet', 'USD', 1, 99999999999999999, 'in_parts', 'at_once'),
  ('wallet', 'SGD', 1, 99999999999999999, 'in_parts', 'at_once'),
  ('wallet', 'AUD', 1, 99999999999999999, 'in_parts', 'at_once'),
  ('wallet', 'INR', 1, 99999999999999999, 'in_parts', 'at_once'),
  ('wallet', 'IDR', 1, 99999999999999999, 'in_parts', 'at_once'),
  ('wallet', 'VND', 1, 99999999999999999, 'in_parts', 'at_once');
