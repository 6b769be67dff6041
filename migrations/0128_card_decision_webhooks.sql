-- Where a client's own system is asked, in real time, whether a card pays (docs/design/issued-cards.md).
create table card_decision_webhooks (
  client_id         integer primary key references clients,
  url               text not null check (length(url) between 1 and 2048),
  timeout_ms        integer not null check (timeout_ms between 200 and 1000),
  -- Without an answer: up to this amount it is a yes, without one a no.
  fallback_amount   numeric(38, 0) check (fallback_amount > 0),
  fallback_currency text references ledger.assets,
  secrets_sealed    text not null,
  version           integer not null default 1 check (version > 0),
  created_at        timestamptz not null default service_now(),
  updated_at        timestamptz not null default service_now(),
  check ((fallback_amount is null) = (fallback_currency is null))
);

-- Why that system has said no, in its own words.
alter table card_decisions add column client_reason text check (length(client_reason) between 1 and 200);
alter table card_decisions add check (client_reason is null or client_answer = 'decline');
alter table card_decisions add check (client_answer is null or status <> 'PENDING');
