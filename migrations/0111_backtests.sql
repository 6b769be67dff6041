-- A back-test reads its decisions in one run, and keeps nothing between: where it has come to is not written.
alter table policy_backtests alter column after_id set default 0, alter column until_id set default 0;
-- One of a policy at a time.
create unique index policy_backtests_open on policy_backtests (policy_id) where status = 'PENDING';
create index policy_backtests_by_time on policy_backtests (created_at);
