import type { Found } from './watch.ts';

/** A part of the statement's text, with single blanks, and the reason for its cost. */
type Exception = readonly [piece: string, why: string];

/** Statements whose cost is bounded by something that the planner cannot know. */
const BOUNDED: readonly Exception[] = [
  ['delete from payment_day_changes where change_id in', 'a thousand changes, each of two clients'],
  ['with recursive names as (', 'a thousand jobs of each queue, for the metrics'],
  ['from "users" where "client_id" = $1 and ("username" = $2 or lower("email")', 'two indexes'],
  ['from "files" as "f" where 1 = 1 and ("f"."purpose" <> $1', 'exports live for an hour'],
  ['update cardano_steps set tx_hash', 'the steps of an order'],
  [
    'as key from payment_of_wallet_transfer_parts order by object_key limit',
    'the filling of payments reads them all by the key, and most transfers complete',
  ],
  [
    'as key from payment_of_crosschain_transfers order by object_key limit',
    'the filling of payments reads them all by the key, the legs of the bridge once too',
  ],
  [
    'as key from payment_of_invoice_refunds order by object_key limit',
    'the filling of payments reads them all by the key, and those of money without an invoice once too',
  ],
  [
    'as key from payment_of_fiat_hold_captures order by object_key limit',
    'the filling of payments reads them all by the key, and most holds are captured',
  ],
  ['as lines from card_returns where transaction_id', 'what was said of one payment'],
  [
    "where t.operation_key = n.name or (t.operation_key >= n.name || ':'",
    'the entries of a page of transfers',
  ],
  ["from adjustments where status = 'PROPOSED'", 'what waits for a person, for a week at most'],
  ['bool_or(e.held_delta <> 0) as has_holds', 'the entries of one transfer'],
  ["where state = 'OPEN' and stalled_at is null order by opened_at", 'open calls, which end soon'],
  ['from list_counts c cross join lateral (', 'walks no further than WALK_MAX'],
  [
    "where state = 'OPEN' and calls > 0 order by opened_at limit 1000",
    'open calls, which end soon',
  ],
  ['from sagas where not finished group by', 'unfinished flows, for the metrics'],
  ["using (kind) where state = 'OPEN' group by kind", 'open calls, for the metrics'],
  ["using (kind) where state = 'OPEN' order by opened_at", 'open calls, for people'],
  ['from inbox where processed_at is null group by source', 'unread news, for the metrics'],
  ['from webhooks.endpoints e group by e.status', 'endpoints, for the metrics'],
  ["from reconciliation_breaks where state = 'OPEN' group by rail", 'open breaks, for the metrics'],
  ['select job, id from work w where', 'open work, of which the sweep looks at each'],
  ['from pending_changes where takes_effect_at <= $1', 'what is due, which is taken away then'],
  [
    'delete from chain_follower_marks where follower',
    'a chain has as many marks as it may go back',
  ],
  ['order by last_seen desc offset 19)', 'a user has no more networks than the offset and one'],
  [
    'join events.wallet_entries w using (transfer_id)',
    'what the version before tells of a transfer',
  ],
  ['o (type, id) cross join lateral', 'a hundred of each of the names of one thing'],
  ['from chain_transactions t where t.chain_id = $1 and not t.is_final', 'work in flight'],
  ["from conversion_jobs j where j.status in ('WAITING_EXCHANGE', 'TIMEOUT')", 'work in flight'],
  ["from conversion_jobs where status in ('TRADING', 'WITHDRAWING')", 'work in flight'],
  ["where j.status in ('TRADING', 'WITHDRAWING')", 'work in flight'],
  ["where status = 'WAITING_EXCHANGE' and waiting_since <=", 'work in flight'],
  // A locked row is checked again for its index's condition, which the planner takes for a filter.
  ['with recursive holders as (', 'an index of unserved endpoints'],
  [`where "status" = 'DISBURSING' and "disbursed_at" is not null`, 'work in flight'],
  ['as stamp, exists (select from chain_transactions where chain_id', 'work in flight'],
  ['select minted - taken_back - redeemed as ours', 'work in flight'],
  ['with recursive doomed as', 'what hangs on one transaction of ours'],
  ['from (select distinct rail from reconciliation_sides', 'a page of each rail, state and cause'],
  ['select * from payouts where reference = $1 union all', 'one of each, both unique'],
  ['reach from proven_wallets where wallet_address = any', 'one of each chain, which is unique'],
  ['as day ) select min(greatest((dated', 'open breaks of a provider'],
  ['from cardano_volumes where', 'a row for each requested day'],
  ['from events.minutes where minute <=', 'the next minute, by the index'],
  ['update "sessions" set "revoked_at"', 'open ones, each of which emits an event'],
  ['delete from "userx_contacts"', 'as many as one may send'],
  ["update messages set sealed_body = null where status = 'failed'", 'failed ones of a day, kept'],
];

/** Statements that read everything on purpose, outside requests. */
const WHOLE: readonly Exception[] = [
  ['select what, id, place as kind, stalled_at', 'npm run jobs: what waits for a person'],
  ["select * from effects where id = $1 or kind || ' ' || id", 'npm run jobs -- show'],
  ["select * from inbox where id = $1 or source || ' ' || id", 'npm run jobs -- show'],
  ['select distinct address from chain_nonces', 'npm run restore:check'],
  ['select found from (select format(', 'npm run ledger:verify'],
  ['select t.asset, t.purpose, count(*)::integer as accounts', 'npm run tenant'],
  [
    'with e as ( select account_id, count(*) as entries, min(seq) as first',
    'npm run ledger:verify',
  ],
  ['select posted.n as transfers, (moved.n, moved.ids)', 'npm run ledger:verify'],
  ['select e.transfer_id, a.asset, sum(e.amount) as off', 'a stretch of transfers'],
  ['with e as ( select e.*, lag(e.seq) over w as last_seq', 'a stretch of transfers'],
  [
    'from (select distinct account_id from ledger.entries where transfer_id >',
    'a stretch of transfers',
  ],
  ['update jobs set due_at = due_at -', 'the sandbox moves the clock'],
];

/** The reason why a statement may have a fault, if it may. */
export function reasonFor({ text }: Found): string | undefined {
  const plain = text.replace(/\s+/g, ' ');
  return [...BOUNDED, ...WHOLE].find(([piece]) => plain.includes(piece))?.[1];
}
