-- What the making of clients and users leaves behind.

-- When a person followed the link that was mailed to them, which proves the address.
alter table users add column confirmed_at timestamptz;

-- Which account a request has made, so that its repetition after a crash finds it instead of
-- refusing its own e-mail address. The password that the answer shows is sealed.
create table account_creations (
  operation       uuid primary key,
  user_id         integer not null references users on delete cascade,
  sealed_password text,
  created_at      timestamptz not null
);
create index account_creations_old on account_creations (created_at);

-- The highest sequence of a month is found by the code's beginning.
create index clients_by_code on clients (client_code text_pattern_ops);

-- One customer at a provider for a company, and one for each of its people.
create unique index psp_customers_one_company on psp_customers (psp_provider, client_id)
  where user_id is null;
create unique index psp_customers_one_person on psp_customers (psp_provider, user_id)
  where user_id is not null;
-- How often in a row the provider could not be told, and why not, for the next pause and for people.
alter table psp_customers add column failures integer not null default 0;
alter table psp_customers add column last_error text;
