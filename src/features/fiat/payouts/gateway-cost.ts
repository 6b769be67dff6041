import type { Requester } from '#kernel/access/requester.ts';
import type { Config } from '#kernel/config/config.ts';
import type { Db } from '#kernel/db/db.ts';
import { worthAtMost } from '#kernel/money/cost.ts';
import type { Money } from '#kernel/money/money.ts';
import { spendPlatformCost } from '#kernel/quota/platform-costs.ts';
import type { Quotas } from '#kernel/quota/quota.ts';

/**
 * Spends the part of the gateway's price that the operation's fee does not cover from the user's budget, in the
 * transaction that begins it. The contract fixes fee and minimum, so that a budget an hour is the only bound. Mock
 * mode costs nothing. Throws RATE_LIMITED.
 */
export async function spendGatewayCost(
  tx: Db,
  deps: { readonly quotas: Quotas; readonly config: Config },
  { name, cost }: { readonly name: string; readonly cost: Money },
  by: Requester,
): Promise<void> {
  const { MOCK_MODE, GATEWAY_URL, IDRX_URL } = deps.config;
  if (MOCK_MODE) return;
  const isOwn = GATEWAY_URL === undefined && IDRX_URL === undefined;
  const units = worthAtMost(undefined, [cost]);
  await spendPlatformCost(tx, deps, { name, units, isOwn, isBusiness: true }, by);
}
