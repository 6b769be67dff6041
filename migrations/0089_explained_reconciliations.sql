-- What is explained line by line matches; the explanation stands beside it. A payment of another sum explains a
-- difference, too, and a person has to settle it.
alter table conversion_reconciliations
  drop constraint conversion_reconciliations_status_check,
  drop constraint conversion_reconciliations_attention;
update conversion_reconciliations set status = 'MATCHED' where status = 'IN_FLIGHT';
alter table conversion_reconciliations
  add constraint conversion_reconciliations_status_check check (status in ('MATCHED', 'MISMATCH')),
  add constraint conversion_reconciliations_attention
    check (status <> 'MISMATCH' or requires_admin_attention);

-- The latest fee of a network, for what is estimated beforehand.
create index conversion_withdrawals_by_network on conversion_withdrawals (network, withdrawal_id desc)
  where state = 'COMPLETED';
