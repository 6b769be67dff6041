-- How much of what costs money or a name has been used, by whom and within which time. What many spend
-- of at once has several rows, so that they do not wait for one another.
create table budgets (
  subject text not null,
  shard   smallint not null,
  spent   integer not null check (spent > 0),
  ends_at timestamptz not null,
  primary key (subject, shard)
) with (fillfactor = 70);
create index budgets_ended on budgets (ends_at);
