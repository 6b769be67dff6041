-- A request that writes something down and whose process dies before its answer is kept finds that again by its
-- operation, as a repetition with the same Idempotency-Key. Null in what is older or of no such request.
alter table onchain_transactions add column reported_by uuid;
alter table wallet_assets add column imported_by uuid;
