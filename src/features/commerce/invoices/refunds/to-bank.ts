import type { PaidRecipient } from '#features/banking/recipients/recipients.ts';
import { spendGatewayCost } from '#features/fiat/payouts/payouts.ts';
import { type Requester, requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { postPayment } from '#kernel/ledger/post-payment.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import { emitInvoiceRefund } from '../events.ts';
import { refundHold } from '../postings.ts';
import type { MerchantInvoice } from '../store.ts';
import { mailClaimLink, newClaim } from './claim-link.ts';
import { countBack } from './counts.ts';
import type { RefundDeps } from './deps.ts';
import { type Giving, underWay } from './giving.ts';
import { accountOfRecipient, keptPayee } from './payee.ts';
import { type InvoiceRefund, insertInvoiceRefund, type NewInvoiceRefund } from './refund-store.ts';

/** How long a request waits for the gateway. */
export const REFUND_PATIENCE_MS = 3000;

/** Out of the merchant's wallet to a recipient of theirs, else to the account that the payer names. Posts, last. */
export async function refundToBank(
  deps: RefundDeps,
  tx: Db,
  { caller, request, invoice, payment, units, made }: Giving,
  recipient: PaidRecipient | undefined,
): Promise<InvoiceRefund> {
  const by = requesterOf(caller, request);
  const row = await beginBankRefund(deps, tx, by, { made, invoice, recipient });
  emitInvoiceRefund(tx, 'pending', { ...row, names: namesGiven('refund') });
  await countBack(tx, invoice, payment, { refunded: 0n, refunding: units });
  const { account_id, currency } = invoice;
  await postPayment(tx, refundHold(account_id, row), {
    account_id,
    needed: { asset: currency, units },
  });
  return row;
}

interface Beginning {
  readonly made: Omit<NewInvoiceRefund, 'status' | 'way'>;
  readonly invoice: Pick<MerchantInvoice, 'customer' | 'description'>;
  /** The payer is asked for an account where it is left out. */
  readonly recipient: PaidRecipient | undefined;
}

/** The row, and its flow to the bank or its link. What the transfer costs the platform comes from the caller's budget. */
export async function beginBankRefund(
  deps: RefundDeps,
  tx: Db,
  by: Requester,
  { made, invoice, recipient }: Beginning,
): Promise<InvoiceRefund> {
  deps.payouts.requireRail('IDR');
  const cost = deps.prices('gateway.payout');
  await spendGatewayCost(tx, deps, { name: 'refunds', cost }, by);
  if (recipient === undefined) {
    const claim = newClaim(deps, made.object_id);
    const way = { status: 'AWAITING_PAYER', way: 'bank' } as const;
    const row = await insertInvoiceRefund(tx, { ...made, ...claim, ...way });
    if (!row) throw underWay();
    await mailClaimLink(deps, tx, by, { refund: row, invoice });
    return row;
  }
  const row = await insertInvoiceRefund(tx, {
    ...made,
    ...keptPayee(deps, made.object_id, accountOfRecipient(deps, recipient)),
    recipient_id: recipient.recipient_id,
    status: 'PENDING',
    way: 'bank',
  });
  if (!row) throw underWay();
  await startRefunding(deps, tx, row);
  return row;
}

/** Has the bank asked. The flow goes on by itself after the commit. */
export const startRefunding = (
  { sagas, refunding }: Pick<RefundDeps, 'sagas' | 'refunding'>,
  tx: Db,
  { object_id: id }: Pick<InvoiceRefund, 'object_id'>,
): Promise<unknown> =>
  sagas.start(tx, refunding, { id, data: {}, drivenForMs: 2 * REFUND_PATIENCE_MS });
