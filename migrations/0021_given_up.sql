-- A transfer that was called failed and whose burn is proven later counts its day again, also where
-- others have used up the limit since. What may be begun is limited where it is begun.
alter table crosschain_days drop constraint crosschain_daily_limit;
alter table crosschain_days add constraint crosschain_days_counted check (units >= 0);

-- Which card it was, under a key that is not in the database: a refund goes back to that card alone.
-- Null for what was taken before it was kept.
alter table card_transactions add column card_fingerprint text
  check (card_fingerprint ~ '^[0-9a-f]{64}$');
