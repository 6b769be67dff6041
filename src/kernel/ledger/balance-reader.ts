import type pg from 'pg';
import type { Balance } from './accounts.ts';

const COLUMNS = 'account_id, posted, held, posted - held as available';
const ONE = `select ${COLUMNS} from ledger.accounts where account_id = $1`;
const MANY = `select ${COLUMNS} from ledger.accounts where account_id = any($1)`;
const BATCH_MAX = 1000;

type BalanceRow = Balance & { account_id: number };

interface Waiting {
  readonly accountId: number;
  resolve(balance: Balance | undefined): void;
  reject(error: unknown): void;
}

/**
 * Reads balances, all that are asked for in one turn of the event loop by one statement: under load
 * the cost of a statement is shared, and alone a read is as fast as it would have been. A balance
 * is never older than the question.
 */
export function createBalanceReader(
  pool: pg.Pool,
): (accountId: number) => Promise<Balance | undefined> {
  let waiting: Waiting[] = [];

  function flush(): void {
    const all = waiting;
    waiting = [];
    for (let i = 0; i < all.length; i += BATCH_MAX) void read(pool, all.slice(i, i + BATCH_MAX));
  }

  return (accountId) =>
    new Promise((resolve, reject) => {
      if (waiting.push({ accountId, resolve, reject }) === 1) setImmediate(flush);
    });
}

async function read(pool: pg.Pool, batch: readonly Waiting[]): Promise<void> {
  const ids = batch.map(({ accountId }) => accountId);
  try {
    const { rows } = await (ids.length === 1
      ? pool.query<BalanceRow>(ONE, ids)
      : pool.query<BalanceRow>(MANY, [`{${ids.join()}}`]));
    const found = new Map(rows.map(({ account_id, ...balance }) => [account_id, balance]));
    for (const { accountId, resolve } of batch) resolve(found.get(accountId));
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}
