-- Money that came in at the gateway for a purchase and does not pay it: too late, another sum, or once more. It is
-- booked when it is known, and owed to its payer until it is given to a purchase or given back.
create table idr_unmatched_payments (
  payment_id        integer generated always as identity primary key,
  mint_id           integer not null references idr_mints,
  user_id           integer not null references users,
  client_id         integer not null references clients,
  -- The gateway's names of the payment, and of its line in the statement.
  receipt           text not null check (length(receipt) between 1 and 200),
  line              text not null check (length(line) between 1 and 200),
  units             numeric(38, 0) not null check (units > 0),
  reason            text not null check (reason in ('LATE', 'UNDERPAID', 'OVERPAID', 'PAID_ALREADY')),
  came_at           timestamptz not null,
  booked_at         timestamptz not null,
  -- What went to a purchase, what is or was owed, and what of that has gone back.
  applied_units     numeric(38, 0) not null default 0 check (applied_units >= 0),
  owed_units        numeric(38, 0) not null check (owed_units >= 0),
  sent_units        numeric(38, 0) not null default 0 check (sent_units in (0, owed_units)),
  -- NONE: nothing is owed any more. OWED: a person has to decide. SENT: it has gone back.
  refund            text not null default 'OWED' check (refund in ('NONE', 'OWED', 'SENT')),
  assigned_mint_id  integer references idr_mints,
  assigned_by       integer references users,
  refunded_by       integer references users,
  settled_note      text check (length(settled_note) between 1 and 500),
  constraint idr_unmatched_payments_once unique (mint_id, receipt),
  constraint idr_unmatched_payments_add_up check (applied_units + owed_units = units),
  constraint idr_unmatched_payments_given check (
    (applied_units > 0) = (assigned_mint_id is not null)
    and (assigned_mint_id is null) = (assigned_by is null)),
  constraint idr_unmatched_payments_sent check (
    (refund = 'NONE') = (owed_units = 0)
    and (refund = 'SENT') = (sent_units > 0)
    and (refund = 'SENT') = (refunded_by is not null)
    and (settled_note is null or refund = 'SENT'))
);
create index idr_unmatched_payments_owed on idr_unmatched_payments (payment_id desc) include (reason) where refund = 'OWED';
create index idr_unmatched_payments_by_time on idr_unmatched_payments (booked_at, payment_id);
create unique index idr_unmatched_payments_assigned on idr_unmatched_payments (assigned_mint_id)
  where assigned_mint_id is not null;

alter table idr_mints
  -- The gateway's names of the payment that pays it, and of that one's line in the statement.
  add column paid_receipt text check (length(paid_receipt) between 1 and 200),
  add column paid_line text check (length(paid_line) between 1 and 200),
  -- What pays it by the operator's word instead.
  add column given_payment_id integer references idr_unmatched_payments,
  -- What is wrong with money that came for it, for its owner to read.
  add column payment_note text
    check (payment_note in ('LATE', 'UNDERPAID', 'OVERPAID', 'PAID_ALREADY', 'REFUNDED')),
  add constraint idr_mints_paid_by_one check (given_payment_id is null or paid_receipt is null);
