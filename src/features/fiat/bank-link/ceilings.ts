import { accountOf } from '#kernel/access/attempts.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { DAY_MS } from '#kernel/quota/quota.ts';

/** The most of a user in a day: the provider charges for links, and banks distrust many pulls. */
const MOST = { 'bank links': 100, 'bank top-ups': 200 } as const;

/** Counts one of a user's. Throws RATE_LIMITED; mock mode costs nothing. */
export async function spendOne(
  { config, quotas }: Pick<Kernel, 'config' | 'quotas'>,
  db: Db,
  name: keyof typeof MOST,
  user_id: number,
): Promise<void> {
  if (config.MOCK_MODE) return;
  const limits = [{ per: 'actor', withinMs: DAY_MS, most: MOST[name] }] as const;
  await quotas.spend(db, { name, limits }, { ip: '', actor: accountOf(user_id) });
}
