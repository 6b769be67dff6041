import { DAY_MS, tooMany } from '#kernel/access/allowances.ts';
import type { Budgets } from '#kernel/access/budgets.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';

/** What the provider charges for, or a bank looks at askance: so many in a day, of one user. */
const MOST = { 'bank links': 100, 'bank top-ups': 200 } as const;

type Deps = Pick<Kernel, 'config'> & { readonly budgets: Budgets };

/** One more of a user's. Throws RATE_LIMITED; in mock mode nothing costs anything. */
export async function spendOne(
  { config, budgets }: Deps,
  db: Db,
  what: keyof typeof MOST,
  user_id: number,
): Promise<void> {
  if (config.MOCK_MODE) return;
  const subject = `${what} by actor/1440m ${user_id}`;
  const wait = await budgets.spend(db, [{ subject, most: MOST[what], withinMs: DAY_MS }]);
  if (wait !== undefined) throw tooMany(what, wait);
}
