import { logActivity } from '#features/messaging/activity/activity.ts';
import { type TenantScope, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { format } from '#kernel/money/money.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { NAMELESS } from '#kernel/object-names/object-names.ts';
import { countedOf, invoiceCharge } from '../charge.ts';
import type { TryingDeps } from '../deps.ts';
import { emitInvoicePayment } from '../events.ts';
import { countPaid, requireOpenInvoice } from '../paid.ts';
import { type InvoiceMethod, insertInvoicePayment } from '../payment-store.ts';
import { invoiceHouse, invoicePart, invoicePayment, unmatchedSettled } from '../postings.ts';
import { lockInvoice, type MerchantInvoice } from '../store.ts';
import { emitUnmatchedMoney } from './events.ts';
import {
  editUnmatchedMoney,
  endUnmatchedMoney,
  lockUnmatchedMoney,
  type UnmatchedMoney,
} from './store.ts';

interface Act {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  readonly unmatched_id: string;
}

/**
 * Gives money to an invoice that is open, once; what is too much of it stays owed. The same again changes nothing.
 * Throws NOT_FOUND, INVALID_STATUS, INVALID_AMOUNT, CURRENCY_MISMATCH. Posts.
 */
export async function assignUnmatchedMoney(
  deps: TryingDeps,
  tx: Db,
  act: Act & { readonly invoice_id: string },
): Promise<UnmatchedMoney> {
  const scope = tenantScopeOf(act.caller);
  const invoice = await lockInvoice(tx, scope, act.invoice_id);
  const before = await requireStray(tx, scope, act.unmatched_id);
  if (!invoice || invoice.client_id !== before.client_id)
    throw fail('NOT_FOUND', 'Invoice not found');
  // The card network takes a payment back from the merchant that it was made to.
  if (before.method === 'card' && invoice.user_id !== before.user_id)
    throw fail('NOT_FOUND', 'Invoice of the same merchant not found');
  if (before.assigned_invoice_id === invoice.invoice_id) return before;
  if (before.status !== 'OPEN' || before.owed < before.amount)
    throw notAllowedIn(before.status === 'OPEN' ? 'ASSIGNED' : before.status, ['OPEN']);
  requireOpenInvoice(deps.clock.now(), invoice);
  const { payment, credited, used } = await payBy(deps, tx, act, { invoice, stray: before });
  const changes = { owed: before.owed - used, assigned_invoice_id: invoice.invoice_id };
  const row =
    changes.owed > 0n
      ? await editUnmatchedMoney(tx, before, changes)
      : await endUnmatchedMoney(tx, before, 'ASSIGNED', changes);
  emitUnmatchedMoney(tx, 'assigned', row);
  emitInvoicePayment(tx, 'succeeded', { ...payment, names: NAMELESS });
  const paid = await countPaid(deps, tx, invoice, { payment, credited });
  await recordStrayAct(tx, 'INVOICE_MONEY_ASSIGNED', row, act);
  const money = {
    payment,
    from: { account: await invoiceHouse(tx, 'unmatched', invoice.currency) },
  };
  const posting = paid.status === 'PAID' ? invoicePayment : invoicePart;
  await postWithin(tx, await posting(tx, invoice, money));
  return row;
}

interface Assigning {
  readonly invoice: MerchantInvoice;
  readonly stray: UnmatchedMoney;
}

/** A payment of the invoice, made of that money. */
async function payBy(
  { clock }: Pick<TryingDeps, 'clock'>,
  tx: Db,
  { operation }: Act,
  { invoice, stray }: Assigning,
) {
  const { currency, client_id, user_id, invoice_id, allow_partial } = invoice;
  if (currency !== stray.currency)
    throw fail(
      'CURRENCY_MISMATCH',
      `The invoice is in ${currency}, the money in ${stray.currency}`,
    );
  const method = stray.method as InvoiceMethod;
  const asked = await invoiceCharge(tx, invoice, method);
  const { credited, surplus, amount, fee, net } = countedOf(invoice, asked, stray.owed);
  if (credited === 0n || (stray.owed < asked.amount && !allow_partial))
    throw fail('INVALID_AMOUNT', 'The money is less than what the invoice asks for', {
      details: {
        owed: format({ asset: currency, units: stray.owed }),
        needed: format({ asset: currency, units: asked.amount }),
        currency,
      },
    });
  const payment_id = newObjectUuid(clock.ms());
  const payment = await insertInvoicePayment(tx, {
    payment_id,
    object_id: objectId('ipm', payment_id),
    operation,
    invoice_id,
    client_id,
    user_id,
    method,
    currency,
    amount,
    fee,
    net,
    fee_terms: asked.fee_terms,
    status: 'SUCCEEDED',
    provider_reference: stray.receipt,
  });
  if (!payment) throw fail('CONFLICT', 'The request is under way');
  return { payment, credited, used: stray.owed - surplus };
}

/** Says that it was paid back by others, or that it is given up; once. Posts. */
export async function settleUnmatchedMoney(
  tx: Db,
  act: Act & { readonly note: string; readonly to: 'REFUNDED' | 'WRITTEN_OFF' },
): Promise<UnmatchedMoney> {
  const { note, to, caller } = act;
  const before = await requireStray(tx, tenantScopeOf(caller), act.unmatched_id);
  if (before.status === to && before.settled_note === note) return before;
  if (before.status !== 'OPEN') throw notAllowedIn(before.status, ['OPEN']);
  const row = await endUnmatchedMoney(tx, before, to, {
    owed: 0n,
    settled_note: note,
    settled_by: caller.user_id,
  });
  const isRefund = to === 'REFUNDED';
  emitUnmatchedMoney(tx, isRefund ? 'refunded' : 'written_off', row);
  await recordStrayAct(
    tx,
    isRefund ? 'INVOICE_MONEY_REFUNDED' : 'INVOICE_MONEY_WRITTEN_OFF',
    row,
    act,
  );
  const settled = { amount: before.owed, to: isRefund ? 'elsewhere' : 'writeOffs' } as const;
  await postWithin(tx, await unmatchedSettled(tx, row, settled));
  return row;
}

async function requireStray(
  tx: Db,
  scope: TenantScope,
  unmatched_id: string,
): Promise<UnmatchedMoney> {
  const row = await lockUnmatchedMoney(tx, scope, unmatched_id);
  if (!row) throw fail('NOT_FOUND', 'Payment not found');
  return row;
}

/** Writes an act into the audit log. */
export const recordStrayAct = (
  tx: Db,
  action: `INVOICE_MONEY_${string}`,
  row: UnmatchedMoney,
  { caller, request }: Pick<Act, 'caller' | 'request'>,
): Promise<void> =>
  logActivity(tx, {
    action,
    actor: caller,
    client_id: row.client_id,
    subject_user_id: row.user_id,
    details: {
      unmatched_id: row.object_id,
      invoice_id: row.invoice,
      assigned_invoice_id: row.assigned_to,
      note: row.settled_note,
    },
    request,
  });
