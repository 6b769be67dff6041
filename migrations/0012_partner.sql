-- Users as customers of the partner PSP: one each, under a key that makes it once.

create table partner_customers (
  user_id         integer primary key references users on delete cascade,
  -- Sent with the creation and every repetition of it, always beside these facts.
  idempotency_key uuid not null unique,
  keyed_at        timestamptz not null,
  customer_type   text not null check (customer_type in ('individual', 'business')),
  name            text not null,
  email           text not null,
  phone           text,
  -- Whether the partner may have made a customer that we were not told of.
  doubtful        boolean not null default false,
  -- The partner's id; null until its answer has arrived.
  customer_id     text unique,
  -- As the partner showed the customer at `synced_at`, in the contract's words.
  snapshot        jsonb,
  synced_at       timestamptz,
  created_at      timestamptz not null default now(),
  constraint partner_customers_known
    check (num_nulls(customer_id, snapshot, synced_at) in (0, 3))
);
