import { houseAccountsOf } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { type OperationOrTaking, postOrOwe } from '#kernel/ledger/debts.ts';
import type { CardDispute } from './store.ts';

/** What is done with the money of a dispute; `returned` is won after the credit was taken back. */
export type DisputeMoney = 'credit' | 'won' | 'returned' | 'taken';

/**
 * Posts, last in its transaction: the credit comes from the house, which gets it back from the network where the dispute is
 * won, and from the wallet where it is not. What the wallet lacks then its owner owes.
 */
export async function postDispute(
  tx: Db,
  dispute: CardDispute,
  steps: readonly DisputeMoney[],
): Promise<void> {
  if (steps.length === 0) return;
  const { currency, object_id, client_id, user_id, account_id: account, amount } = dispute;
  const house = await houseAccountsOf(tx, {
    disputes: ['card-disputes', currency],
    issuing: ['issuing', currency],
    standIn: ['card-stand-in', currency],
  });
  const meta = { client_id };
  const moved = (step: DisputeMoney, from: number, to: number): OperationOrTaking => ({
    key: `card-dispute:${object_id}:${step}`,
    kind: `issued-card-dispute-${step}`,
    legs: [
      { account: from, amount: -amount },
      { account: to, amount },
    ],
    meta,
  });
  const posted = steps.map((step): OperationOrTaking => {
    if (step === 'credit') return moved(step, house.disputes, account);
    if (step === 'won') return moved(step, house.issuing, house.disputes);
    if (step === 'returned') return moved(step, house.issuing, account);
    return {
      operation: {
        key: `card-dispute:${object_id}:taken`,
        kind: 'issued-card-dispute-taken',
        legs: [{ account: house.disputes, amount }],
        meta,
      },
      account,
      user_id,
      owedTo: house.standIn,
      units: amount,
    };
  });
  await postOrOwe(tx, posted);
}
