import type { SignedTransaction } from '#chains/port.ts';
import { type Db, run } from '#kernel/db/db.ts';
import { CHAIN_FAMILIES } from '#src/app/chains.ts';
import { counted, noteFinding, ok, type RestoreFindings } from './finding.ts';

/** So many of each are named; `npm run jobs` has them all. */
const SHOWN = 100;

interface Counting {
  readonly of: number;
}

/** What was open when the copy was made, each by the reference under which the other side knows it. */
export async function checkUnderWay(db: Db): Promise<RestoreFindings[]> {
  const [calls, flows, inbound] = [
    await run<Counting & { called: number }>(db, CALLS, [SHOWN]),
    await run<Counting>(db, FLOWS, [SHOWN]),
    await run<Counting>(db, INBOUND, [SHOWN]),
  ];
  const signed: SignedTransaction[] = [];
  for (const family of CHAIN_FAMILIES) signed.push(...(await family.signed(db, SHOWN)));
  return [
    some(calls, 'call', 'to providers without an outcome: each is looked up by its id'),
    some(flows, 'flow', 'between two states'),
    some(inbound, 'event', 'from outside that waits for its handling'),
    signed.length > 0
      ? noteFinding(
          `${counted(signed.length, 'transaction')} signed and not final on chain`,
          signed,
        )
      : ok('No transaction is under way on a chain'),
  ];
}

function some(rows: readonly Counting[], what: string, how: string): RestoreFindings {
  const [first] = rows;
  if (first === undefined) return ok(`No ${what} ${how.split(':')[0]}`);
  return noteFinding(
    `${counted(first.of, what)} ${how}`,
    rows.map(({ of, ...shown }) => shown),
  );
}

/** With what the ledger has of it: money that is set aside, or gone to a house account. */
const CALLS = `
  select kind, id, opened_at, calls, called_at, stalled_at is not null as stalled,
    (select string_agg(operation_key, ', ') from (
       select operation_key from ledger.transfers t
       where t.operation_key = e.id or (t.operation_key >= e.id || ':' and t.operation_key < e.id || ';')
       order by transfer_id limit 5) p) as posted,
    count(*) over ()::integer as of
  from effects e where state = 'OPEN' order by opened_at limit $1`;

const FLOWS = `
  select type, id, state, waiting_for, due_at, stalled_at is not null as stalled, count(*) over ()::integer as of
  from sagas where not finished order by updated_at limit $1`;

const INBOUND = `
  select source, id, received_at, stalled_at is not null as stalled, count(*) over ()::integer as of
  from inbox where processed_at is null order by received_at limit $1`;

/** From when on each rail has to be compared again, and what differed already. */
export async function checkRails(db: Db): Promise<RestoreFindings[]> {
  const rails = await run<{ rail: string }>(db, RAILS, []);
  if (rails.length === 0) return [ok('No rail was compared with its provider yet')];
  const says = 'What providers have done since these times, `npm run reconcile` finds';
  return [noteFinding(says, rails)];
}

const RAILS = `
  select s.rail, min(s.told_until) as compared_until,
    (select count(*)::integer from reconciliation_breaks b
     where b.rail = s.rail and b.state = 'OPEN') as open_breaks
  from reconciliation_sides s group by s.rail order by s.rail`;
