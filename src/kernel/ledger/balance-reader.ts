import type pg from 'pg';
import { createBatcher } from '../batcher.ts';
import { dryRunNow } from '../dry-run.ts';
import { type Balance, SPENDABLE } from './accounts.ts';

const COLUMNS = `account_id, posted, held, ${SPENDABLE} as available, status = 'frozen' as is_frozen`;
const ONE = `select ${COLUMNS} from ledger.accounts where account_id = $1`;
const MANY = `select ${COLUMNS} from ledger.accounts where account_id = any($1)`;

interface Reader {
  query(text: string, values: unknown[]): Promise<{ readonly rows: unknown[] }>;
}

type BalanceRow = Balance & { account_id: number };

/**
 * Reads balances of accounts that have no parts, as wallets, all that are asked for in one turn of the event loop by one statement: under load
 * the cost of a statement is shared, and alone a read is as fast as it would have been. A balance
 * is never older than the question.
 */
export function createBalanceReader(
  pool: pg.Pool,
): (accountId: number) => Promise<Balance | undefined> {
  return createBatcher<number, Balance | undefined>({
    max: 1000,
    // Reads lock nothing, so that none has to wait for another.
    atOnce: Number.POSITIVE_INFINITY,
    async many(ids) {
      const from: Reader = dryRunNow() ?? pool;
      const { rows } = await (ids.length === 1
        ? from.query(ONE, [...ids])
        : from.query(MANY, [`{${ids.join()}}`]));
      const balances = rows as BalanceRow[];
      const found = new Map(balances.map(({ account_id, ...balance }) => [account_id, balance]));
      return ids.map((id) => found.get(id));
    },
  });
}
