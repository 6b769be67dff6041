-- What the service signed for the XRP Ledger, written before it is submitted.
create table xrpl_journal (
  journal_id integer generated always as identity primary key,
  -- What the caller calls it. Signed anew only when the one before certainly never happened.
  reference text not null check (reference <> ''),
  purpose   text not null check (purpose <> ''),
  account   text not null,
  sequence  bigint not null check (sequence > 0),
  hash      text not null constraint xrpl_journal_hash unique check (hash ~ '^[0-9A-F]{64}$'),
  blob      text not null,
  -- Between these ledgers it happens or never does.
  first_ledger bigint not null,
  last_ledger  bigint not null check (last_ledger > first_ledger),
  -- VALIDATED: it did what it says. FAILED: in a ledger, with a tec code. EXPIRED: certainly in none.
  status text not null default 'PENDING'
    check (status in ('PENDING', 'VALIDATED', 'FAILED', 'EXPIRED')),
  result       text,
  ledger_index bigint,
  -- Of an issued currency, in millionths.
  delivered    numeric(38, 0),
  response     text,
  signed_at timestamptz not null default service_now(),
  ended_at  timestamptz,
  constraint xrpl_journal_ended check ((status = 'PENDING') = (ended_at is null)),
  constraint xrpl_journal_in_ledger check (
    (status in ('VALIDATED', 'FAILED')) = (ledger_index is not null and result is not null))
);
-- One living transaction for a reference, and one for a sequence number.
create unique index xrpl_journal_reference on xrpl_journal (reference) where status <> 'EXPIRED';
create unique index xrpl_journal_sequence on xrpl_journal (account, sequence)
  where status <> 'EXPIRED';

-- Who issues a currency (contract: XRPL).
create table xrpl_issuers (
  issuer_id     integer generated always as identity primary key,
  address       text not null check (length(address) between 25 and 35),
  currency_code text not null constraint xrpl_issuers_once unique,
  created_at    timestamptz not null default service_now()
);
-- Whose on-ramp first needed the line, from whom to whom.
create table xrpl_trustlines (
  trustline_id  integer generated always as identity primary key,
  user_id       integer not null references users,
  address       text not null,
  currency_code text not null,
  issuer        text not null,
  status        text not null check (status in ('PENDING', 'ACTIVE')),
  created_at    timestamptz not null default service_now(),
  updated_at    timestamptz not null default service_now(),
  constraint xrpl_trustlines_once unique (address, currency_code, issuer)
);

create table xrpl_transactions (
  id        integer generated always as identity primary key,
  user_id   integer not null references users,
  -- The flow that makes it.
  operation text not null constraint xrpl_transactions_operation unique,
  tx_type   text not null check (tx_type in ('ONRAMP', 'OFFRAMP', 'OFFRAMP_FIAT')),
  currency_code text not null,
  -- Millionths of a USDC.
  units     numeric(38, 0) not null check (units > 0),
  status    text not null default 'PENDING'
    check (status in ('PENDING', 'tesSUCCESS', 'SUCCESS_RECEIVED', 'FAILED')),
  tx_hash             text check (tx_hash ~ '^[0-9A-F]{64}$'),
  source_address      text,
  destination_address text,
  raw_response        text,
  created_at timestamptz not null default service_now(),
  updated_at timestamptz not null default service_now()
);
create index xrpl_transactions_of_user on xrpl_transactions (user_id, id desc);
create index xrpl_transactions_hash on xrpl_transactions (tx_hash) where tx_hash is not null;
create index xrpl_transactions_ended on xrpl_transactions (updated_at, id)
  where status in ('tesSUCCESS', 'SUCCESS_RECEIVED');
