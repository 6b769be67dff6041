-- How far the log of events was read for monitors of balances: what a look reads grows with what has moved, not with the
-- number of monitors. One row. At first the log is read from its beginning: a monitor knows which entries it has seen.
create table balance_monitor_progress (
  is_only  boolean primary key default true check (is_only),
  position bigint not null check (position >= 0)
);
insert into balance_monitor_progress (position) values (0);
