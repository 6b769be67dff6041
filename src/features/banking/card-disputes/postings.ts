import { type DisputedChange, sharesOf } from '#features/banking/card-payments/card-payments.ts';
import { houseAccountsOf } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { postOrOwe } from '#kernel/ledger/debts.ts';
import type { Leg, Operation } from '#kernel/ledger/ledger.ts';
import type { CardDispute } from './store.ts';

/** What is done with the money of a dispute; `returned` is won after the credit was taken back. */
export type DisputeMoney = 'credit' | 'won' | 'returned' | 'taken';

/**
 * Posts, last in its transaction, what a change of a dispute has changed of its payment: the credit comes from the house,
 * which gets it back from the network where the dispute is won, and from the wallet where it is not. What the wallet lacks
 * then its owner owes. What the shop has given back already is no part of it: the network's is the house's then.
 */
export async function postDispute(
  tx: Db,
  dispute: CardDispute,
  step: DisputeMoney,
  change: DisputedChange,
): Promise<void> {
  const { currency, object_id, client_id, user_id, account_id: account } = dispute;
  const house = await houseAccountsOf(tx, {
    disputes: ['card-disputes', currency],
    issuing: ['issuing', currency],
    surplus: ['card-surplus', currency],
    standIn: ['card-stand-in', currency],
  });
  const { wallet, disputes, issuing, surplus } = sharesOf(change);
  const legs: Leg[] = [
    { account: house.issuing, amount: issuing },
    { account: house.disputes, amount: disputes },
    { account: house.surplus, amount: surplus },
    ...(wallet > 0n ? [{ account, amount: wallet }] : []),
  ].filter(({ amount }) => amount !== 0n);
  if (legs.length === 0) return;
  const operation: Operation = {
    key: `card-dispute:${object_id}:${step}`,
    kind: `issued-card-dispute-${step}`,
    legs,
    meta: { client_id },
  };
  const owedTo = house.standIn;
  const taking = { operation, account, user_id, owedTo, units: -wallet };
  await postOrOwe(tx, [wallet < 0n ? taking : operation]);
}
