import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { emitWork } from '#kernel/jobs/work-events.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { endExcess, excessAccounts, openExcessOf, payoutKey } from '#kernel/ledger/excess.ts';
import { type Leg, type Operation, transfer } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import type { Asset } from '#kernel/money/money.ts';
import { payoutHouse } from './currencies.ts';
import type { PayoutDeps } from './deps.ts';
import { lockPayout, movePaidLate, type PayoutRow } from './payout-store.ts';

/**
 * FAILED to PAID, once: the gateway reports after the booked failure that it has paid out. Where the payer has
 * refunded the money before, the platform has a claim, for a person. Returns what was done.
 */
export async function bookLate(deps: PayoutDeps, tx: Db, reference: string): Promise<string> {
  const payout = await lockPayout(tx, reference, 'FAILED');
  if (!payout) return 'known';
  const late = await deps.payerOf(payout).bookLate(tx, payout);
  await movePaidLate(tx, reference);
  deps.log.warn({ reference, payer: payout.payer }, 'A pay-out that had failed was paid after all');
  await postAllWithin(
    tx,
    'lost' in late ? [await claimTwice(tx, payout, late.lost)] : late.operations,
  );
  return 'paid-late';
}

async function claimTwice(tx: Db, payout: PayoutRow, units: bigint): Promise<Operation> {
  const { reference, client_id, payer } = payout;
  const asset = payout.asset as Asset;
  const key = payoutKey(reference);
  await openExcessOf(tx, { key, asset, units });
  emitWork(tx, 'stalled', 'return', key);
  const details = { reference, payer, units: units.toString(), currency: asset };
  await logActivity(tx, { action: 'PAYOUT_PAID_TWICE', actor: null, client_id, details });
  const { disputed } = await excessAccounts(tx, key, asset);
  const legs = transfer(disputed, await payingAccount(tx, asset), units);
  return { key: `${key}:paid-late`, kind: 'payout-paid-twice', legs };
}

const payingAccount = (tx: Db, asset: Asset): Promise<number> =>
  openAccount(tx, houseAccount(payoutHouse(asset), asset));

/** The bank has returned a pay-out that was refunded before: that ends the claim, or makes up for its write-off. */
export async function endClaim(
  tx: Db,
  { reference, asset: paidIn }: PayoutRow,
): Promise<readonly Operation[] | undefined> {
  const key = payoutKey(reference);
  const ended = await endExcess(tx, key);
  if (!ended) return undefined;
  const { open, written_off } = ended;
  const asset = paidIn as Asset;
  const { disputed, losses } = await excessAccounts(tx, key, asset);
  const legs: Leg[] = [
    { account: await payingAccount(tx, asset), amount: -(open + written_off) },
    { account: disputed, amount: open },
    { account: losses, amount: written_off },
  ].filter(({ amount }) => amount !== 0n);
  return [{ key: `${key}:sent-back`, kind: 'payout-twice-sent-back', legs }];
}
