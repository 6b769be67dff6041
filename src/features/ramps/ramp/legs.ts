import type { Leg } from '#kernel/ledger/ledger.ts';

/** The same transfer out of what was held of the payer. */
export const fromHeld = (legs: readonly Leg[], payer: number): Leg[] =>
  legs.map((leg) => (leg.account === payer ? { ...leg, held: leg.amount } : leg));

/** The transfer that undoes these. */
export const reversedLegs = (legs: readonly Leg[]): Leg[] =>
  legs.map(({ account, amount }) => ({ account, amount: -amount }));

/** One leg for an account, and none where its amounts come to nothing. */
export function mergedLegs(amounts: readonly Pick<Leg, 'account' | 'amount'>[]): Leg[] {
  const sums = new Map<number, bigint>();
  for (const { account, amount } of amounts) sums.set(account, (sums.get(account) ?? 0n) + amount);
  return [...sums]
    .filter(([, amount]) => amount !== 0n)
    .map(([account, amount]) => ({ account, amount }));
}
