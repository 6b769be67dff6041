import { lockRecipient } from '#features/banking/recipients/recipients.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { lockInvoice } from '../store.ts';
import { emitUnmatchedMoney } from '../unmatched/events.ts';
import { recordStrayAct } from '../unmatched/resolve.ts';
import { lockUnmatchedMoney, moveUnmatchedMoney, type UnmatchedMoney } from '../unmatched/store.ts';
import type { RefundDeps } from './deps.ts';
import type { InvoiceRefund } from './refund-store.ts';
import { beginBankRefund } from './to-bank.ts';
import { requireWholeRupiah } from './to-bank-rules.ts';
import { beginCardRefund } from './to-card.ts';

export interface StrayRefund {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  readonly unmatched_id: string;
  /** Of a person of the client; the payer is asked where it is left out. */
  readonly recipient_id: string | undefined;
}

interface Begun {
  readonly stray: UnmatchedMoney;
  readonly refund: InvoiceRefund;
}

/**
 * Gives all that is owed of money that pays no invoice back, in the transaction of the caller: to a recipient, else to the
 * account that the customer of the invoice names. It is posted once the bank has it. Throws NOT_FOUND, INVALID_STATUS,
 * RAIL_NOT_AVAILABLE, CURRENCY_MISMATCH, RECIPIENT_UNAVAILABLE, AMOUNT_BELOW_MINIMUM, REFUND_NOT_POSSIBLE.
 */
export async function refundStray(deps: RefundDeps, tx: Db, act: StrayRefund): Promise<Begun> {
  const { caller, request, operation, unmatched_id, recipient_id } = act;
  const before = await lockUnmatchedMoney(tx, tenantScopeOf(caller), unmatched_id);
  if (!before) throw fail('NOT_FOUND', 'Payment not found');
  if (before.status !== 'OPEN') throw notAllowedIn(before.status, ['OPEN']);
  const { client_id, user_id, invoice_id, payment_id, currency, owed: amount } = before;
  const invoice = await lockInvoice(tx, {}, invoice_id);
  const recipient =
    recipient_id === undefined ? undefined : await lockRecipient(tx, { client_id }, recipient_id);
  if (!invoice || (recipient_id !== undefined && !recipient))
    throw fail('NOT_FOUND', 'Recipient not found');
  if (before.method !== 'card') requireWholeRupiah(deps, { asset: currency, units: amount });
  else if (recipient)
    throw fail('REFUND_NOT_POSSIBLE', 'What a card has paid goes back to it', {
      details: { reason: 'PAID_BY_CARD' },
      hint: 'Leave `recipient_id` out.',
    });
  const refund_id = newObjectUuid(deps.clock.ms());
  const made = {
    refund_id,
    object_id: objectId('rfd', refund_id),
    operation,
    invoice_id,
    payment_id,
    unmatched_id,
    client_id,
    user_id,
    currency,
    amount,
    reason: before.reason,
  };
  const by = requesterOf(caller, request);
  const refund =
    before.method === 'card'
      ? await beginCardRefund(deps, tx, by, { made, invoice })
      : await beginBankRefund(deps, tx, by, { made, invoice, recipient });
  const move = { from: 'OPEN', to: 'REFUNDING' } as const;
  const stray = await moveUnmatchedMoney(tx, before, move, {});
  emitUnmatchedMoney(tx, 'refunding', stray);
  await recordStrayAct(tx, 'INVOICE_MONEY_REFUND_BEGUN', stray, act);
  return { stray, refund };
}
