-- What another side reports another sum of money than our books waits for a person (docs/decisions/0076).

-- A sum of a provider that is not the one we ordered: neither booked nor given up before the provider reports ours.
create table discrepancies (
  -- Of what it is, such as a pay-out, and its reference.
  kind      text not null check (kind ~ '^[a-z][a-z0-9-]{0,39}$'),
  reference text not null check (length(reference) between 1 and 200),
  asset     text not null references ledger.assets,
  ordered   numeric(38, 0) not null check (ordered > 0),
  reported  numeric(38, 0) not null check (reported >= 0 and reported <> ordered),
  since     timestamptz not null default service_now(),
  primary key (kind, reference)
);
create index discrepancies_by_age on discrepancies (since);

-- The network calls a payment undone of which we had given back a part: that may be all, or our refund alone. What is in
-- question is neither taken nor given back before a person has said which; that holds as long as the network's word does.
alter table ledger.returns
  add column questioned       numeric(38, 0) not null default 0 check (questioned >= 0),
  add column questioned_since timestamptz,
  add column reversal_meant   text check (reversal_meant in ('ALL', 'REFUND')),
  add constraint returns_question_has_time check ((questioned > 0) = (questioned_since is not null));
create index returns_in_question on ledger.returns (questioned_since) where questioned > 0;
