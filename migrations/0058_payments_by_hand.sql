-- What a person does about payments of the marketplace that no rule can settle: give one to an order, say
-- how it was given back otherwise, and what became of a loss. The version before reads none of it.
alter table marketplace_payments
  add column assigned_order_id text
    check (assigned_order_id ~ '^MKT-[0-9]{13,16}-[a-z0-9]{8}$'),
  add column assigned_by       integer references users,
  -- How what was owed has gone back without a transaction of ours.
  add column settled_note      text check (length(settled_note) between 1 and 500),
  -- GONE after its goods were bought or it was sent back: what a person says of the loss.
  add column loss_note         text check (length(loss_note) between 1 and 500),
  add column loss_closed_by    integer references users,
  add constraint marketplace_payments_assigned check ((assigned_order_id is null) = (assigned_by is null)),
  add constraint marketplace_payments_loss check (
    (loss_note is null) = (loss_closed_by is null) and (loss_note is null or state = 'GONE'));
-- Wider than it was: a note may stand for the transaction.
alter table marketplace_payments
  drop constraint marketplace_payments_sent,
  add constraint marketplace_payments_sent check (
    sent_units <= owed_units and (refund = 'SENT') = (owed_units > 0 and sent_units = owed_units)
    and (sent_units > 0) = (refund_tx_hash is not null or settled_note is not null));
-- What somebody has to look at: bought or sent back, and then dropped by the chain.
create index marketplace_payments_lost on marketplace_payments (payment_id)
  where state = 'GONE' and (applied_units > 0 or sent_units > 0) and loss_note is null;

-- Which version of a type's schema an endpoint gets; the first one of those that are not named.
alter table webhooks.endpoints add column schema_versions jsonb not null default '{}';

-- When it was told that a key ends soon.
alter table api_keys add column expiring_told_at timestamptz;
create index api_keys_expiring on api_keys (expires_at)
  where expires_at is not null and expiring_told_at is null;
