import { requesterOf } from '#kernel/access/requester.ts';
import { type Sponsored, type Sponsorship, spendSponsored } from '#kernel/access/sponsored.ts';
import type { Db } from '#kernel/db/db.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { XrplDeps } from './deps.ts';

/**
 * The contract has no fee here and takes a millionth of a USDC: the platform pays 12 drops for each payment, two of
 * them for an off-ramp that it sponsors. A conversion may round up by half a millionth.
 */
const PAYMENTS: Sponsored = {
  own: { name: 'own XRPL payments', user: 20_000, network: 100_000, day: 1_000_000 },
  others: { name: 'XRPL payments', user: 500, network: 2_000, day: 50_000 },
};
/** What the gateway takes for a bank transfer. */
const BANK_PAYOUTS: Sponsorship = {
  ...{ name: 'bank payouts over XRPL', user: 50, network: 250, day: 5_000 },
};

/** Counts an operation that nobody is charged for, in the transaction that begins it. Throws RATE_LIMITED. */
export async function spendFree(
  tx: Db,
  deps: Pick<XrplDeps, 'budgets' | 'config' | 'xrpl'>,
  { caller, request }: { readonly caller: UserCaller; readonly request: RequestFacts },
  isBank = false,
): Promise<void> {
  const by = requesterOf(caller, request);
  await spendSponsored(tx, deps, deps.xrpl.isOwn ? PAYMENTS.own : PAYMENTS.others, by);
  if (isBank) await spendSponsored(tx, deps, BANK_PAYOUTS, by);
}
