-- Keys and their answers are written many at a time, by probes of the index for all of them at once, whatever the table held
-- when this was planned: a process that starts while it is small would otherwise look through the whole of it for
-- each batch, until the table is analyzed again (docs/decisions/0059).

-- Claims the keys that nobody has used yet, and answers the leases that hold one now. It waits for no row that stands
-- already. In one order for all processes, or two of them could wait for each other; of a key the first has it.
create function claim_keys(
  scopes bytea[], fingerprints bytea[], operations uuid[], leases uuid[],
  ends timestamptz, process integer, forgotten timestamptz
) returns setof uuid
language plpgsql rows 64
set enable_seqscan = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
  insert into idempotency_keys
    (scope, fingerprint, operation, lease, lease_until, holder, expires_at, created_at)
  select scope, fingerprint, operation, lease, ends, process, forgotten, (select service_now())
  from unnest(scopes, fingerprints, operations, leases)
    with ordinality as asked (scope, fingerprint, operation, lease, nth)
  where scope not in (select known.scope from idempotency_keys as known where known.scope = any(scopes))
  order by scope, nth
  on conflict (scope) do nothing
  returning lease;
end $$;

-- Keeps the answers, one of a line, an empty line for one that is not kept; answers the leases whose answers stand.
-- Again is the same again: a batch whose confirmation was lost is repeated.
create function keep_answers(scopes bytea[], leases uuid[], statuses integer[], answers text) returns setof uuid
language plpgsql rows 64
set enable_seqscan = off
set enable_nestloop = off
set enable_mergejoin = off
set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
  update idempotency_keys as k set status = e.status, answer = e.answer
  from unnest(scopes, leases, statuses, string_to_array(answers, e'\n', ''))
    as e (scope, lease, status, answer)
  where k.scope = any(scopes) and k.scope = e.scope and k.lease = e.lease
    and (k.status is null or k.status = e.status and k.answer is not distinct from e.answer)
  returning k.lease;
end $$;

-- Room on the page for what its rows become: with an answer a row is several times as long, and finding no room there
-- it would be written into each index once more.
alter table idempotency_keys set (fillfactor = 20);
