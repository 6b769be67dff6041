-- How a client appears to those who pay its invoices, and which ways to pay it offers (docs/design/payments.md).

create table gateway_settings (
  client_id             integer primary key references clients,
  display_name          text check (length(display_name) between 1 and 100),
  logo_file_id          uuid,
  color                 text check (color ~ '^#[0-9a-f]{6}$'),
  support_email         text check (length(support_email) between 3 and 254),
  embed_origins         text[] not null default '{}' check (cardinality(embed_origins) <= 10),
  -- What is switched off; a way to pay that comes later is on.
  methods_off           text[] not null default '{}',
  -- What signs the addresses to which payers return.
  return_secret_sealed  text,
  version               integer not null default 1 check (version > 0),
  edited_by             integer not null references users,
  updated_at            timestamptz not null default service_now()
);
create index gateway_settings_by_logo on gateway_settings (logo_file_id) where logo_file_id is not null;
