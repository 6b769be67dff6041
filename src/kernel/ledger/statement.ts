import { type Db, run } from '../db/db.ts';

/** One entry of an account, with the balances it left behind. Amounts are units. */
export interface StatementRow {
  readonly seq: number;
  readonly transfer_id: number;
  readonly key: string;
  readonly kind: string;
  readonly meta: Record<string, unknown> | null;
  readonly amount: bigint;
  readonly held_delta: bigint;
  readonly posted_after: bigint;
  readonly held_after: bigint;
  readonly created_at: string;
}

const COLUMNS = `e.seq, e.transfer_id, t.operation_key as key, t.kind, t.meta, e.amount, e.held_delta,
  e.posted_after, e.held_after, t.created_at`;

export interface StatementPage {
  readonly limit: number;
  readonly before?: number | undefined;
  /** Of a time, both ends included; to the millisecond, as times are shown. */
  readonly created_from?: string | undefined;
  readonly created_to?: string | undefined;
  /** The key of the operation. */
  readonly reference?: string | undefined;
}

/**
 * A page of the entries of an account that has no parts, as a wallet, newest first. The next page is `before` the last row's `seq`: an
 * account's numbers have no gaps and only grow, so pages neither repeat nor miss an entry.
 */
export function statementOf(
  db: Db,
  accountId: number,
  { limit, before = Number.MAX_SAFE_INTEGER, created_from, created_to, reference }: StatementPage,
): Promise<StatementRow[]> {
  const values: unknown[] = [accountId, before, limit];
  const asked = (value: unknown, rule: (name: string) => string) =>
    value === undefined ? '' : ` and ${rule(`$${values.push(value)}`)}`;
  const wanted = [
    asked(created_from, (at) => `e.seq >= ledger.seq_since($1, ${at}::timestamptz)`),
    asked(
      created_to,
      (at) => `e.seq < ledger.seq_since($1, ${at}::timestamptz + interval '1 millisecond')`,
    ),
    asked(reference, (key) => `t.operation_key = ${key}`),
  ].join('');
  const text = `select ${COLUMNS} from ledger.entries e join ledger.transfers t using (transfer_id)
    where e.account_id = $1 and e.seq < $2${wanted}
    order by e.seq desc limit $3`;
  return run(db, text, values);
}

/**
 * The next entries that moved money of an account that has no parts, oldest first, after one number and up to another.
 */
export const entriesUpward = (
  db: Db,
  accountId: number,
  { after, last, limit }: { readonly after: number; readonly last: number; readonly limit: number },
): Promise<StatementRow[]> =>
  run(
    db,
    `select ${COLUMNS} from ledger.entries e join ledger.transfers t using (transfer_id)
      where e.account_id = $1 and e.seq > $2 and e.seq <= $3 and e.amount <> 0 order by e.seq limit $4`,
    [accountId, after, last, limit],
  );

/** An entry of an account or of one of its parts; the balances are those of that row. */
export interface HouseRow extends StatementRow {
  /** Names it within the account, for good. */
  readonly line: string;
}

/**
 * A page of the entries of an account that may have parts, newest first, and where the next page begins
 * while there may be more. Each row is read on from where the page before it has left it, so that the
 * numbers of none are passed over.
 */
export async function houseStatementOf(
  db: Db,
  accountId: number,
  page: { after?: string | undefined; limit: number },
): Promise<{ rows: HouseRow[]; next?: string }> {
  const left = new Map(page.after?.split(',').map((one) => one.split(':').map(Number) as Place));
  const found = await run<HouseRow & { part: number }>(
    db,
    `select a.part, case a.part when 0 then e.seq::text else a.part || '.' || e.seq end as line, ${COLUMNS}
     from ledger.accounts a
     cross join lateral (
       select * from ledger.entries
       where account_id = a.account_id
         and seq < coalesce((select l.seq from unnest($2::smallint[], $3::bigint[]) l (part, seq)
           where l.part = a.part), $4)
       order by seq desc limit $5) e
     join ledger.transfers t using (transfer_id)
     where a.account_id = $1 or a.part_of = $1
     order by e.transfer_id desc, a.part, e.seq desc limit $5`,
    [accountId, [...left.keys()], [...left.values()], Number.MAX_SAFE_INTEGER, page.limit],
  );
  for (const { part, seq } of found) left.set(part, seq);
  const rows = found.map(({ part: _, ...row }) => row);
  const next = [...left].map((place) => place.join(':')).join();
  return rows.length < page.limit ? { rows } : { rows, next };
}

/** A part, and the number of its last entry that was read. */
type Place = [part: number, seq: number];
