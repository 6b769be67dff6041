import { openWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { money } from '#kernel/money/money.ts';
import { transact } from '#kernel/transact.ts';
import { recordIdrTokenStep } from '../audit.ts';
import type { IdrBase } from '../deps.ts';
import { emitIdrTokenPayment } from '../events.ts';
import { isWholeRupiah, ONRAMP_LIMITS, onrampFee } from '../fees.ts';
import {
  assignedPaymentOperation,
  houseAccounts,
  straySentBackOperation,
  straySettledOperation,
} from '../legs.ts';
import { idrTokenRupiahOf, requireRecord } from '../presenters.ts';
import { findMint, lockMint, type Mint, markPaidByAssignment } from '../purchase/store.ts';
import { emitUnmatched } from './events.ts';
import { setPaymentNote } from './receipts-store.ts';
import {
  findUnmatched,
  lockUnmatched,
  recordPaymentAssigned,
  recordSentBack,
  type UnmatchedPayment,
} from './store.ts';

interface ManualAction {
  readonly payment_id: number;
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

export interface Assignment extends ManualAction {
  /** The purchase of the payment, unless another one of the same person is named. */
  readonly reference_id?: string;
  /** In rupiah, the tokens to mint; the ordered ones where no other amount was agreed. */
  readonly amount?: string;
}

/**
 * Assigns an owed payment to a purchase that is unpaid or was not paid in time, which is minted then; the surplus stays
 * owed. A repetition changes nothing. Throws NOT_FOUND, TRANSACTION_NOT_FOUND, INVALID_STATUS, INVALID_AMOUNT,
 * CONFLICT.
 */
export const assignStrayPayment = (deps: IdrBase, input: Assignment): Promise<UnmatchedPayment> =>
  transact(deps.db, async (tx) => {
    const { payment_id, caller, request } = input;
    const read = await findUnmatched(tx, payment_id);
    if (read === undefined) throw notFound();
    const reference = input.reference_id ?? read.reference_id;
    const target = requireRecord(await findMint(tx, { reference_id: reference }));
    if (target.user_id !== read.user_id)
      throw fail('CONFLICT', 'The purchase is another person’s than the one that was paid for');
    // Locked in the order of a flow: the flow, the purchase, its payment.
    const isFree = await deps.sagas.redirect(tx, reference, { from: OPEN, to: 'mint' });
    const mint = await lockMint(tx, target.mint_id);
    const payment = await lockUnmatched(tx, payment_id);
    if (mint === undefined || payment === undefined) throw notFound();
    if (payment.assigned_mint_id === mint.mint_id) return payment;
    const terms = termsOf(deps, input, { mint, payment });
    if (!isFree || !UNPAID.includes(mint.status)) throw notOpen(mint);
    const to = { mint_id: mint.mint_id, units: terms.applied, by: caller.user_id };
    const row = await recordPaymentAssigned(tx, payment_id, to);
    if (row === undefined) throw new Error(`Payment ${payment_id} was locked and not assigned`);
    const paid = await markPaidByAssignment(tx, mint, { payment_id, ...terms }, deps.clock.now());
    await setNote(tx, row);
    emitUnmatched(tx, 'assigned', row);
    emitIdrTokenPayment(tx, 'succeeded', paid);
    const by = { caller, request };
    await recordIdrTokenStep(tx, 'IDR_PAYMENT_ASSIGNED', paid, { by, payment_id });
    await postWithin(tx, assignedPaymentOperation(row, paid, await houseAccounts(tx), deps.issuer));
    return row;
  });

const OPEN = ['unpaid', 'lapsed'];
const UNPAID: readonly Mint['status'][] = ['PENDING', 'CANCELLED'];

const notFound = () => fail('NOT_FOUND', 'Payment not found');
const notOpen = ({ status }: Mint) =>
  UNPAID.includes(status)
    ? fail('CONFLICT', 'The gateway is asked about the purchase at the moment: try again later')
    : fail('INVALID_STATUS', `A purchase that is ${status} cannot be paid`, {
        details: { status },
      });
const nothingOwed = ({ refund }: UnmatchedPayment) =>
  fail('INVALID_STATUS', 'Nothing of this payment is owed', { details: { refund } });

/** Units of IDR: the minted amount, its fee, and the part of the payment for both. */
interface Terms {
  readonly amount: bigint;
  readonly fee: bigint;
  readonly applied: bigint;
}

function termsOf(
  { issuer }: IdrBase,
  { amount: said }: Assignment,
  { mint, payment }: { readonly mint: Mint; readonly payment: UnmatchedPayment },
): Terms {
  if (payment.refund !== 'OWED' || payment.applied_units > 0n) throw nothingOwed(payment);
  if (!issuer.mintsAnyAmount && said !== undefined)
    throw fail('CONFLICT', 'The gateway issues what was ordered, and nothing else');
  const amount = said === undefined ? mint.amount_idr : agreed(said);
  const { payment_method } = mint;
  const fee =
    said === undefined
      ? mint.fee_amount
      : onrampFee(payment_method, { asset: 'IDR', units: amount }).units;
  const least = amount + issuer.ownFee(fee);
  if (payment.owed_units < least)
    throw fail('INVALID_AMOUNT', 'The payment is less than the purchase costs', {
      details: { owed: idrTokenRupiahOf(payment.owed_units), needed: idrTokenRupiahOf(least) },
      hint: 'Name in `amount` the rupiah of tokens that were agreed upon, or send the payment back.',
    });
  return { amount, fee, applied: issuer.takenOf(payment.owed_units, least) };
}

function agreed(said: string): bigint {
  const amount = money('IDR', said);
  const { least, most } = ONRAMP_LIMITS;
  if (isWholeRupiah(amount) && amount.units >= least.units && amount.units <= most.units)
    return amount.units;
  throw fail('INVALID_AMOUNT', 'Amount must be whole rupiah from 20,000 to 100,000,000');
}

/** Refunds the owed part to the payer's IDR wallet, once, without a fee. */
export const refundPayment = (
  deps: Pick<IdrBase, 'db'>,
  input: ManualAction,
): Promise<UnmatchedPayment> =>
  transact(deps.db, async (tx) => {
    const before = await requireOwed(tx, input.payment_id);
    if (before.refund === 'SENT' && before.settled_note === null) return before;
    const row = await sendBack(tx, input, before, {});
    const { wallet } = await openWallet(tx, row.user_id, 'IDR');
    await postWithin(tx, straySentBackOperation(row, wallet.account_id, await houseAccounts(tx)));
    return row;
  });

export interface SettledElsewhere extends ManualAction {
  /** The way and the reference. */
  readonly note: string;
  /** Who has paid: the gateway, which holds less for us then, or others. */
  readonly source: 'GATEWAY' | 'ELSEWHERE';
}

/** Records that the payer was refunded by other means, once. */
export const markPaymentRefunded = (
  deps: Pick<IdrBase, 'db'>,
  input: SettledElsewhere,
): Promise<UnmatchedPayment> =>
  transact(deps.db, async (tx) => {
    const { note, source } = input;
    const before = await requireOwed(tx, input.payment_id);
    if (before.refund === 'SENT' && before.settled_note === note) return before;
    const row = await sendBack(tx, input, before, { note });
    await postWithin(tx, straySettledOperation(row, source, await houseAccounts(tx)));
    return row;
  });

async function requireOwed(tx: Db, payment_id: number): Promise<UnmatchedPayment> {
  const row = await lockUnmatched(tx, payment_id);
  if (row === undefined) throw notFound();
  return row;
}

async function sendBack(
  tx: Db,
  { payment_id, caller, request }: ManualAction,
  before: UnmatchedPayment,
  more: { readonly note?: string },
): Promise<UnmatchedPayment> {
  const row = await recordSentBack(tx, payment_id, { by: caller.user_id, ...more });
  if (row === undefined) throw nothingOwed(before);
  await setNote(tx, row);
  emitUnmatched(tx, 'refunded', row);
  const details = { by: { caller, request }, payment_id, ...more };
  await recordIdrTokenStep(tx, 'IDR_PAYMENT_REFUNDED', row, details);
  return row;
}

/** The note that the owner of the purchase reads. */
const setNote = (tx: Db, { mint_id, refund, reason }: UnmatchedPayment): Promise<unknown> =>
  setPaymentNote(tx, mint_id, refund === 'SENT' ? 'REFUNDED' : refund === 'OWED' ? reason : null);
