-- Whose money it is at the destination: exchanges have one address for all their customers.
alter table xrpl_transactions add column destination_tag bigint
  constraint xrpl_transactions_tag_fits check (destination_tag between 0 and 4294967295);
alter table xrpl_transactions add constraint xrpl_transactions_tag_of_address
  check (destination_tag is null or tx_type = 'OFFRAMP');
