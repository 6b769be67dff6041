-- Every transaction that the platform has signed for Cardano, before anybody has seen it.
create table cardano_transactions (
  hash          text primary key check (hash ~ '^[0-9a-f]{64}$'),
  -- The order in which they were signed: a later one may spend what an earlier one makes.
  seq           bigint generated always as identity unique,
  -- Which ledger it is for: the sandbox's own, or a test network's.
  network       text not null check (length(network) between 1 and 60),
  reference     text not null check (length(reference) between 1 and 200),
  kind          text not null check (kind in ('mint', 'burn')),
  -- Of USDC.
  units         numeric(38, 0) not null check (units > 0),
  -- Who got what was minted; null where the treasury kept it.
  recipient     text check (length(recipient) between 1 and 150),
  raw           bytea not null,
  fee           numeric(38, 0) not null check (fee > 0),
  -- Coins that went to the recipient with the tokens.
  sent          numeric(38, 0) not null check (sent >= 0),
  -- The last slot in which it may come into a block.
  ttl           bigint not null,
  -- LAPSED is one that is in no block and can come into none any more.
  state         text not null default 'SIGNED' check (state in ('SIGNED', 'CONFIRMED', 'LAPSED')),
  confirmed_at  timestamptz,
  -- When the ledger took it up, in the transaction that did.
  booked_at     timestamptz,
  created_at    timestamptz not null default service_now(),

  constraint cardano_transactions_confirmed check ((state = 'CONFIRMED') = (confirmed_at is not null))
);

-- A reference makes one transaction; another one only once it is certain that the last never happens.
create unique index cardano_transactions_once on cardano_transactions (network, reference)
  where state <> 'LAPSED';
create index cardano_transactions_booked on cardano_transactions (booked_at, seq)
  where booked_at is not null;
create index cardano_transactions_under_way on cardano_transactions (network, seq) where state = 'SIGNED';

-- What the treasury has: outputs of its own transactions, and what others have paid to it.
create table cardano_outputs (
  network   text not null,
  tx_hash   text not null check (tx_hash ~ '^[0-9a-f]{64}$'),
  index     integer not null check (index >= 0),
  lovelace  numeric(38, 0) not null check (lovelace > 0),
  usdc      numeric(38, 0) not null check (usdc >= 0),
  -- One transaction spends it, or none.
  spent_by  text references cardano_transactions,

  primary key (network, tx_hash, index)
);

create index cardano_outputs_unspent on cardano_outputs (network, tx_hash, index) where spent_by is null;
create index cardano_outputs_spent on cardano_outputs (spent_by) where spent_by is not null;
