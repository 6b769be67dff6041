import type { Db } from '#kernel/db/db.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { isNotConfigured } from '#kernel/provider-call.ts';
import type { PaymentReceipt } from '#providers/gateway/port.ts';
import { recordIdrTokenStep } from '../audit.ts';
import type { IdrBase } from '../deps.ts';
import { houseAccounts, unmatchedOperation } from '../legs.ts';
import { type CheckedPayment, findIdrTokenPayment, knownAtGateway } from '../purchase/payments.ts';
import { findMint, lockMint, type Mint } from '../purchase/store.ts';
import { emitUnmatched } from './events.ts';
import { recordPayer, setPaymentNote } from './receipts-store.ts';
import { type IdrTokenReason, insertUnmatched, unmatchedReceipts } from './store.ts';

/** The gateway's answer about a purchase: its payment, and all money received for it. */
export interface ReceivedMoney {
  readonly payment: CheckedPayment | undefined;
  readonly receipts: readonly PaymentReceipt[];
}

/** Asks the gateway; undefined where there is no such purchase. */
export async function findReceivedMoney(
  deps: IdrBase,
  reference: string,
): Promise<Outcome<ReceivedMoney | undefined>> {
  const mint = await findMint(deps.db, { reference_id: reference });
  if (mint === undefined) return done(undefined);
  const payment = await findIdrTokenPayment(deps, reference);
  if (payment.kind !== 'done') return payment;
  const receipts = await deps.gateway.receipts(reference, knownAtGateway(mint));
  if (isNotConfigured(receipts)) return unknown('The gateway is not configured');
  if (receipts.kind !== 'done') return receipts;
  return done({ payment: payment.value, receipts: receipts.value });
}

/**
 * Books each payment of a purchase that does not pay it, once, as owed to its payer, and notifies its owner and the
 * operator's desk. The flow books the payment that pays the purchase. Returns how many are new.
 */
export async function bookReceipts(
  deps: Pick<IdrBase, 'log'>,
  tx: Db,
  reference: string,
  { payment, receipts }: ReceivedMoney,
): Promise<number> {
  const found = receipts.length > 0 && (await findMint(tx, { reference_id: reference }));
  const mint = found && (await lockMint(tx, found.mint_id));
  if (!mint) return 0;
  const payer = payerOf(mint, payment, receipts);
  if (payer) await recordPayer(tx, mint.mint_id, payer);
  const known = await unmatchedReceipts(tx, mint.mint_id, receipts);
  const operations: Operation[] = [];
  for (const receipt of receipts.filter(({ id }) => id !== payer?.id && !known.has(id))) {
    const operation = await bookOne(deps, tx, mint, { receipt, isPaid: payer !== undefined });
    if (operation) operations.push(operation);
  }
  await postAllWithin(tx, operations);
  return operations.length;
}

/** The payment that pays the purchase, or is about to. */
function payerOf(
  mint: Mint,
  payment: CheckedPayment | undefined,
  receipts: readonly PaymentReceipt[],
): PaymentReceipt | undefined {
  const isToBePaid = mint.status === 'PENDING' && payment?.status === 'PAID';
  if (mint.given_payment_id !== null || !(mint.paid_at !== null || isToBePaid)) return undefined;
  if (mint.paid_receipt !== null) return receipts.find(({ id }) => id === mint.paid_receipt);
  const units = mint.paid_amount_idr ?? mint.total_amount_idr;
  return (
    receipts.find(({ id }) => id === payment?.id) ??
    receipts.find((receipt) => receipt.units === units) ??
    receipts[0]
  );
}

async function bookOne(
  { log }: Pick<IdrBase, 'log'>,
  tx: Db,
  mint: Mint,
  { receipt, isPaid }: { readonly receipt: PaymentReceipt; readonly isPaid: boolean },
): Promise<Operation | undefined> {
  const reason = reasonOf(mint, receipt, isPaid);
  const row = await insertUnmatched(tx, mint, receipt, reason);
  if (row === undefined) return undefined;
  await setPaymentNote(tx, mint.mint_id, reason);
  const { payment_id, reference_id: reference } = row;
  log.warn({ reference, payment_id, reason }, 'A payment has come in that pays no purchase');
  await recordIdrTokenStep(tx, 'IDR_PAYMENT_UNMATCHED', mint, { payment_id, reason });
  emitUnmatched(tx, 'unmatched', row);
  return unmatchedOperation(row, await houseAccounts(tx));
}

function reasonOf(mint: Mint, { units, at }: PaymentReceipt, isPaid: boolean): IdrTokenReason {
  if (isPaid || mint.paid_at !== null) return 'PAID_ALREADY';
  const isOver = at >= new Date(mint.expired_at) || units === mint.total_amount_idr;
  if (isOver) return 'LATE';
  return units < mint.total_amount_idr ? 'UNDERPAID' : 'OVERPAID';
}
