import type {
  PaidLate,
  PayoutFlow,
  PayoutPayer,
  PayoutRow,
} from '#features/fiat/payouts/payouts.ts';
import type { Db } from '#kernel/db/db.ts';
import { hasRows } from '#kernel/db/has-rows.ts';
import type { PayoutRequest } from '#providers/gateway/port.ts';
import { noteIdrTokenStep } from './audit.ts';
import type { IdrBase, Offramp } from './deps.ts';
import { emitPayout } from './events.ts';
import { houseAccounts, paidOutOperation, returnedOperation } from './legs.ts';
import {
  lockRedeem,
  markIdrTokenReturned,
  markPaidLate,
  markProcessing,
  type Redeem,
  redeemOf,
} from './redeem-store.ts';

const GRACE_MS = 2 * 3_600_000;
/** By which a flow hears how its pay-out has ended. */
const EVENT = 'told';

/** Redemptions, whose flows have the reference as their name. */
export const redemptionPayer = (deps: IdrBase): PayoutPayer => ({
  name: 'idr-token',
  owns: (reference) => reference.startsWith('REDEEM-'),
  answersForOthers: true,
  believesCallers: true,
  ...(deps.issuer.transfers && { transfers: deps.issuer.transfers }),
  rail: { name: 'payouts', graceMs: GRACE_MS, isUsed: (db) => hasRows(db, 'idr_redeems') },
  hear: (tx, { reference }, word) =>
    deps.sagas.signal(tx, reference, EVENT, word.status, { ...word }),
  takeBack: (tx, payout, failure) => takeBack(deps, tx, payout, failure),
  payLate: (tx, payout) => payLate(deps, tx, payout),
});

/** COMPLETED to FAILED, once: all of it is to be paid out again, or refunded. */
async function takeBack(
  { clock, issuer }: IdrBase,
  tx: Db,
  { reference }: PayoutRow,
  failure: string,
) {
  const { redeem_id } = await redeemOf(tx, reference);
  const locked = await lockRedeem(tx, redeem_id);
  if (locked?.status !== 'COMPLETED') return undefined;
  const redeem = await markIdrTokenReturned(tx, reference, failure, clock.now());
  await noteIdrTokenStep(tx, 'IDR_OFFRAMP_RETURNED', redeem, { failure });
  emitPayout(tx, 'returned', redeem);
  return [returnedOperation(redeem, await houseAccounts(tx), issuer)];
}

/** FAILED to COMPLETED where nothing was refunded; else it is lost, but for the fee that is ours. */
async function payLate(
  { clock, issuer }: IdrBase,
  tx: Db,
  { reference }: PayoutRow,
): Promise<PaidLate> {
  const { redeem_id } = await redeemOf(tx, reference);
  const locked = await lockRedeem(tx, redeem_id);
  if (locked?.status !== 'FAILED') throw new Error(`${reference} has not failed yet`);
  if (locked.bank_transfer_status !== 'FAILED')
    return { lost: locked.amount_idr - issuer.ownFee(locked.fee_amount) };
  const redeem = await markPaidLate(tx, reference, clock.now());
  await noteIdrTokenStep(tx, 'IDR_OFFRAMP_PAID_LATE', redeem, { failure: locked.failure });
  emitPayout(tx, 'succeeded', redeem);
  return { operations: [paidOutOperation(redeem, await houseAccounts(tx), issuer)] };
}

/** How a redemption's flow pays out. */
export const redemptionPayout = (deps: IdrBase): PayoutFlow<Offramp> => ({
  payer: redemptionPayer(deps),
  names: { pay: 'send', wait: 'sent', ask: 'ask', paid: 'paid', failed: 'failed' },
  event: EVENT,
  async wish(db, { id }) {
    const redeem = await redeemOf(db, id);
    return { ...requestOf(redeem), client_id: redeem.client_id };
  },
  async sent(tx, { id }, told) {
    const redeem = await markProcessing(tx, id, told.id, deps.clock.now());
    await noteIdrTokenStep(tx, 'IDR_OFFRAMP_PROCESSING', redeem);
    emitPayout(tx, 'processing', redeem);
  },
});

const requestOf = (redeem: Redeem): PayoutRequest => ({
  reference: redeem.reference_id,
  units: redeem.net_amount_idr,
  to: {
    bankCode: redeem.bank_code,
    accountNumber: redeem.bank_account_number,
    accountName: redeem.bank_account_name,
  },
  description: `IDR token ${redeem.reference_id}`,
});
