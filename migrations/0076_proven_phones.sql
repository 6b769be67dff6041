-- A number that was proven by a code is no code: for some minutes one log-in of the same requester may go by it. Among
-- the codes it could be mistaken for one that was sent and that nobody had entered.
create table proven_phones (
  phone      text not null,
  asker      text not null,
  expires_at timestamptz not null,
  primary key (phone, asker)
);
create index proven_phones_old on proven_phones (expires_at);
-- What was proven until now lived ten minutes, and is proven again.
delete from phone_codes where purpose = 'log-in proven';
