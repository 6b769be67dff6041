-- Card top-ups, refunds and pushes. Of a card only its last four digits are ever stored.
create table card_transactions (
  id             integer generated always as identity primary key,
  -- The request that asked for it, so that its repetition finds it. Null once it came to nothing
  -- for a reason of ours or the network's: a repetition may then try anew.
  operation      uuid constraint card_transactions_operation unique,
  reference_id   text not null constraint card_transactions_reference unique
                 check (reference_id ~ '^[A-Z]+-[A-Z]+$'),
  type           text not null check (type in ('TOPUP', 'REFUND', 'PUSH')),
  wallet_id      integer not null references fiat_wallets,
  user_id        integer not null references users,
  client_id      integer not null references clients,
  card_last4     text not null check (card_last4 ~ '^[0-9]{4}$'),
  currency       text not null check (currency in ('USD', 'IDR', 'SGD', 'AUD', 'INR', 'VND')),
  amount         numeric(38, 0) not null check (amount > 0),
  platform_fee   numeric(38, 0) not null check (platform_fee >= 0),
  -- What the wallet gains or loses.
  net_amount     numeric(38, 0) not null check (net_amount > 0),
  -- Where the money is. Nothing but this decides what may still happen to it.
  state          text not null check (state in ('PENDING', 'SETTLED', 'FAILED')),
  -- What callers are shown: after the settlement the network's own word for it.
  status         text not null check (status ~ '^[A-Z][A-Z_]{1,39}$'),
  failure        text check (length(failure) between 1 and 60),
  -- Settled in mock mode, without the network.
  simulated      boolean not null,
  -- By these the network knows the transaction, before and after it has answered.
  rrn            text not null constraint card_transactions_rrn unique check (rrn ~ '^[0-9]{12}$'),
  traced_at      timestamptz not null,
  transaction_identifier text check (transaction_identifier ~ '^[0-9]{1,20}$'),
  approval_code  text check (length(approval_code) <= 20),
  transmitted_at text check (length(transmitted_at) = 19),
  -- When to ask the network about it, as long as it is pending.
  look_at        timestamptz,
  original_id    integer,
  original_type  text check (original_type = 'TOPUP'),
  original_amount numeric(38, 0),
  recipient_name text check (length(recipient_name) between 1 and 200),
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),

  constraint card_transactions_adds_up check (amount = platform_fee + net_amount),
  constraint card_transactions_pending_is_looked_at check ((state = 'PENDING') = (look_at is not null)),
  constraint card_transactions_failed_says_why check ((state = 'FAILED') = (failure is not null)),
  constraint card_transactions_settled_is_known check (
    state <> 'SETTLED' or num_nulls(transaction_identifier, approval_code, transmitted_at) = 0),
  constraint card_transactions_refund_has_original check (
    num_nulls(original_id, original_type, original_amount) = case type when 'REFUND' then 0 else 3 end),
  constraint card_transactions_refund_within_original check (amount <= original_amount),
  -- For the key below to point at.
  constraint card_transactions_whole unique (id, type, amount, currency, wallet_id),
  -- A refund is of a top-up, of what was taken then, in its currency and from its wallet.
  constraint card_transactions_original
    foreign key (original_id, original_type, original_amount, currency, wallet_id)
    references card_transactions (id, type, amount, currency, wallet_id)
);

create unique index card_transactions_refunded_once on card_transactions (original_id)
  where state <> 'FAILED';
create index card_transactions_by_wallet on card_transactions (wallet_id, id desc);
create index card_transactions_by_identifier on card_transactions (transaction_identifier)
  where transaction_identifier is not null;
create index card_transactions_to_look_at on card_transactions (look_at) where state = 'PENDING';
