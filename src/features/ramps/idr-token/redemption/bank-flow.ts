import {
  bankFlow,
  type PaidLate,
  type PayoutFlow,
  type PayoutPayer,
} from '#features/fiat/payouts/payouts.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import { recordIdrTokenStep } from '../audit.ts';
import type { IdrBase, Offramp } from '../deps.ts';
import { emitPayout } from '../events.ts';
import { houseAccounts, paidOutOperation, returnedOperation } from '../legs.ts';
import {
  lockRedeem,
  markIdrTokenReturned,
  markPaidLate,
  markProcessing,
  redeemOf,
} from './store.ts';

/** How a redemption's flow pays the bank; the flow has the reference as its id. */
export const redemptionFlow = (
  deps: IdrBase,
): PayoutFlow<Offramp> & { readonly payer: PayoutPayer } =>
  bankFlow<Offramp>(deps.sagas, {
    name: 'idr-token',
    rail: 'payouts',
    table: 'idr_redeems',
    answersForOthers: true,
    trustsCallers: true,
    ...(deps.issuer.transfers && { transfers: deps.issuer.transfers }),
    event: 'told',
    flowOf: (reference) => (reference.startsWith('REDEEM-') ? reference : undefined),
    bookReturn: (tx, reference, failure) => bookReturn(deps, tx, reference, failure),
    bookLate: (tx, { reference }) => bookLate(deps, tx, reference),
    async requestOf(db, { id: reference }) {
      const redeem = await redeemOf(db, reference);
      const { bank_code: bankCode, bank_account_number: accountNumber } = redeem;
      return {
        reference,
        units: redeem.net_amount_idr,
        asset: 'IDR',
        to: { bankCode, accountNumber, accountName: redeem.bank_account_name },
        description: `IDR token ${reference}`,
        client_id: redeem.client_id,
      };
    },
    async accepted(tx, { id }, answer) {
      const redeem = await markProcessing(tx, id, answer.id, deps.clock.now());
      await recordIdrTokenStep(tx, 'IDR_OFFRAMP_PROCESSING', redeem);
      emitPayout(tx, 'processing', redeem);
    },
  });

/** COMPLETED to FAILED, once: all of it is to be paid again, or refunded. */
async function bookReturn(
  { clock, issuer }: IdrBase,
  tx: Db,
  reference: string,
  failure: string,
): Promise<readonly Operation[] | undefined> {
  const { redeem_id } = await redeemOf(tx, reference);
  const locked = await lockRedeem(tx, redeem_id);
  if (locked?.status !== 'COMPLETED') return undefined;
  const redeem = await markIdrTokenReturned(tx, reference, failure, clock.now());
  await giveBackLimits(tx, { operation: reference, kind: 'withdrawal' });
  await recordIdrTokenStep(tx, 'IDR_OFFRAMP_RETURNED', redeem, { failure });
  emitPayout(tx, 'returned', redeem);
  return [returnedOperation(redeem, await houseAccounts(tx), issuer)];
}

/** FAILED to COMPLETED where nothing was refunded; else it is lost, but for the platform's fee. */
async function bookLate({ clock, issuer }: IdrBase, tx: Db, reference: string): Promise<PaidLate> {
  const { redeem_id } = await redeemOf(tx, reference);
  const locked = await lockRedeem(tx, redeem_id);
  if (locked?.status !== 'FAILED') throw new Error(`${reference} has not failed yet`);
  if (locked.bank_transfer_status !== 'FAILED')
    return { lost: locked.amount_idr - issuer.ownFee(locked.fee_amount) };
  const redeem = await markPaidLate(tx, reference, clock.now());
  await recordIdrTokenStep(tx, 'IDR_OFFRAMP_PAID_LATE', redeem, { failure: locked.failure });
  emitPayout(tx, 'succeeded', redeem);
  return { operations: [paidOutOperation(redeem, await houseAccounts(tx), issuer)] };
}
