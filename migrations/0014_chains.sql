-- One row per signing address and chain. Who holds its lock hands out the nonces.
create table chain_lanes (
  chain_id integer not null check (chain_id > 0),
  address text not null check (address ~ '^0x[0-9a-fA-F]{40}$'),
  next_nonce bigint not null check (next_nonce >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (chain_id, address)
);

-- The journal of everything the service signed, written before it is sent. `raw` alone is enough
-- to send a transaction again, and sending it again never executes it twice.
create table chain_transactions (
  transaction_id bigint generated always as identity primary key,
  chain_id integer not null,
  from_address text not null,
  nonce bigint not null check (nonce >= 0),
  hash text not null check (hash ~ '^0x[0-9a-f]{64}$'),
  raw text not null check (raw ~ '^0x[0-9a-f]+$'),
  gas_price numeric(38, 0) not null check (gas_price >= 0),
  purpose text not null check (purpose <> ''),
  -- What the caller calls it: the same reference never becomes a second transaction.
  reference text not null check (reference <> ''),
  -- The signature does nothing but use up the nonce, so that later ones need not wait for it.
  is_filler boolean not null default false,
  -- PENDING: signed, no receipt seen. LOST: it never happened and never will, because a filler or a
  -- stranger's transaction has its nonce.
  status text not null default 'PENDING'
    check (status in ('PENDING', 'CONFIRMED', 'REVERTED', 'LOST')),
  block_number bigint,
  block_hash text check (block_hash ~ '^0x[0-9a-f]{64}$'),
  gas_used bigint,
  gas_fee numeric(38, 0),
  -- Deep enough that its receipt is no longer looked at again.
  is_final boolean not null default false,
  signed_at timestamptz not null default now(),
  -- Last sent; a stuck transaction is looked after that long after it.
  sent_at timestamptz not null default now(),
  mined_at timestamptz,
  constraint chain_transactions_hash unique (chain_id, hash),
  constraint chain_transactions_reference unique (reference),
  constraint chain_transactions_lane
    foreign key (chain_id, from_address) references chain_lanes (chain_id, address),
  constraint chain_transactions_mined check (
    case status
      when 'PENDING' then block_number is null
      when 'LOST' then is_filler = (block_number is not null)
      else not is_filler and block_number is not null
    end
    and (block_number is null) = (block_hash is null)
    and (block_number is null) = (gas_used is null)
    and (block_number is null) = (gas_fee is null)
    and (block_number is null) = (mined_at is null)
  ),
  constraint chain_transactions_final check (not is_final or status <> 'PENDING')
);

-- One living transaction per nonce.
create unique index chain_transactions_nonce
  on chain_transactions (chain_id, from_address, nonce) where status <> 'LOST';
create index chain_transactions_open
  on chain_transactions (chain_id, transaction_id) where not is_final;

-- Earlier signatures of the same nonce, each of which the network may still choose.
create table chain_replacements (
  chain_id integer not null,
  hash text not null check (hash ~ '^0x[0-9a-f]{64}$'),
  transaction_id bigint not null references chain_transactions,
  raw text not null check (raw ~ '^0x[0-9a-f]+$'),
  gas_price numeric(38, 0) not null,
  is_filler boolean not null,
  replaced_at timestamptz not null default now(),
  primary key (chain_id, hash)
);
create index chain_replacements_transaction on chain_replacements (transaction_id);
