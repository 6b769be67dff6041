import { sql } from 'kysely';
import type { Db } from '../db/db.ts';

/** What must hold of the ledger, and the query that finds what breaks it, as a text per break. */
const CHECKS = [
  {
    rule: 'every transfer sums to zero in each asset',
    breaks: `select format('transfer %s is off by %s %s', e.transfer_id, sum(e.amount), a.asset)
      from ledger.entries e join ledger.accounts a using (account_id)
      group by e.transfer_id, a.asset having sum(e.amount) <> 0`,
  },
  {
    rule: 'every account is the sum of its entries',
    breaks: `select format('account %s says %s (held %s), its entries %s (held %s)', a.account_id,
        a.posted, a.held, coalesce(e.posted, 0), coalesce(e.held, 0))
      from ledger.accounts a
      left join (select account_id, sum(amount) as posted, sum(held_delta) as held
        from ledger.entries group by account_id) e using (account_id)
      where a.posted <> coalesce(e.posted, 0) or a.held <> coalesce(e.held, 0)`,
  },
  {
    rule: 'every account has counted what moved it, and how much',
    breaks: `select format('account %s has counted %s moves of %s, its entries are %s of %s',
        a.account_id, a.moves, a.volume, coalesce(e.moves, 0), coalesce(e.volume, 0))
      from ledger.accounts a
      left join (select account_id, count(*) as moves, sum(abs(amount)) as volume
        from ledger.entries where amount <> 0 group by account_id) e using (account_id)
      where a.moves <> coalesce(e.moves, 0) or a.volume <> coalesce(e.volume, 0)`,
  },
  {
    rule: 'the entries of an account are numbered without a gap',
    breaks: `select format('account %s counts %s entries, has %s, numbered %s to %s', a.account_id,
        a.seq, coalesce(e.entries, 0), e.first, e.last)
      from ledger.accounts a
      left join (select account_id, count(*) as entries, min(seq) as first, max(seq) as last
        from ledger.entries group by account_id) e using (account_id)
      where a.seq <> coalesce(e.entries, 0) or (a.seq > 0 and (e.first <> 1 or e.last <> a.seq))`,
  },
  {
    rule: 'every entry continues the balance of the one before',
    breaks: `select format('account %s, entry %s: %s and %s do not follow', account_id, seq,
        posted_after, held_after)
      from (select account_id, seq, amount, held_delta, posted_after, held_after,
          lag(posted_after, 1, 0::numeric) over w as posted,
          lag(held_after, 1, 0::numeric) over w as held
        from ledger.entries window w as (partition by account_id order by seq)) e
      where posted + amount <> posted_after or held + held_delta <> held_after`,
  },
  {
    rule: 'no account is overdrawn or holds less than nothing',
    breaks: `select format('account %s has %s, %s of it held', account_id, posted, held)
      from ledger.accounts where posted - held < min_available or held < 0`,
  },
  {
    rule: 'all accounts of an asset sum to zero',
    breaks: `select format('%s is off by %s', asset, sum(posted))
      from ledger.accounts group by asset having sum(posted) <> 0`,
  },
  {
    rule: 'every entry has its account and its transfer, every transfer its entries',
    breaks: `select format('account %s, entry %s hangs in the air', e.account_id, e.seq)
      from ledger.entries e
      left join ledger.accounts a using (account_id)
      left join ledger.transfers t using (transfer_id)
      where a.account_id is null or t.transfer_id is null
      union all
      select format('transfer %s has no entries', transfer_id) from ledger.transfers t
      where not exists (select from ledger.entries e where e.transfer_id = t.transfer_id)`,
  },
] as const;

const SHOWN = 5;

export interface Verification {
  readonly accounts: number;
  readonly transfers: number;
  readonly entries: number;
  /** Empty when the ledger is sound; else the rules that are broken, each with its first breaks. */
  readonly broken: readonly { rule: string; breaks: string[] }[];
  readonly rules: number;
}

/** Recomputes the whole ledger from its entries, in one snapshot while postings go on. */
export function verifyLedger(db: Db): Promise<Verification> {
  if (db.isTransaction) return verify(db);
  const snapshot = db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute(verify);
}

async function verify(tx: Db): Promise<Verification> {
  const counts = await sql<Pick<Verification, 'accounts' | 'transfers' | 'entries'>>`
      select (select count(*) from ledger.accounts) as accounts,
        (select count(*) from ledger.transfers) as transfers,
        (select count(*) from ledger.entries) as entries`.execute(tx);
  const broken: { rule: string; breaks: string[] }[] = [];
  for (const { rule, breaks } of CHECKS) {
    const found = await sql<{ found: string }>`
        select found from (${sql.raw(breaks)}) b(found) limit ${SHOWN}`.execute(tx);
    if (found.rows.length > 0) broken.push({ rule, breaks: found.rows.map((row) => row.found) });
  }
  const [count] = counts.rows;
  if (!count) throw new Error('The ledger cannot be counted');
  return { ...count, broken, rules: CHECKS.length };
}

const KEPT_AS = 'ledger_verified';

export interface LastVerification {
  readonly at: string;
  /** How many rules were broken. */
  readonly broken: number;
}

/** Remembers what a verification has found, so that an operator is told where it was long ago. */
export async function keepVerification(db: Db, { broken }: Pick<Verification, 'broken'>) {
  await sql`
    insert into service_state (name, value) values (${KEPT_AS},
      jsonb_build_object('at', service_now(), 'broken', ${broken.length}::integer))
    on conflict (name) do update set value = excluded.value`.execute(db);
}

/** The last one that was kept; nothing where nobody has verified it yet. */
export async function lastVerification(db: Db): Promise<LastVerification | undefined> {
  const row = await db
    .selectFrom('service_state')
    .select('value')
    .where('name', '=', KEPT_AS)
    .executeTakeFirst();
  return row?.value as LastVerification | undefined;
}
