-- What of the network's fee and coins is charged on top of the amount, in currency_from, where the percentages do not cover them.
alter table cardano_orders add column network_fee numeric(38, 0) not null default 0
  constraint cardano_orders_network_fee check (network_fee >= 0);
