import { verifyPayeeOf } from '#features/banking/recipients/recipients.ts';
import { mayAct } from '#kernel/access/may-act.ts';
import type { Db } from '#kernel/db/db.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { DAY_MS } from '#kernel/quota/quota.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import type { BankAccount } from '#providers/gateway/port.ts';
import { emitNamedRefund } from '../events.ts';
import { findInvoice } from '../store.ts';
import type { ClaimedRefund } from './claim-page.ts';
import type { ClaimObstacle } from './claim-texts.ts';
import type { RefundDeps } from './deps.ts';
import { keptPayee, readRefundAccount, type TypedAccount } from './payee.ts';
import { type InvoiceRefund, invoiceRefundOfClaim, moveInvoiceRefund } from './refund-store.ts';
import { REFUND_PATIENCE_MS, startRefunding } from './to-bank.ts';

const KEY = /^[0-9a-f]{36}$/;
/** Each asks a bank in whose name an account is. */
const TRIES_A_DAY = 20;

/** The refund of a link; undefined where it leads nowhere. */
export async function refundOfKey(db: Db, key: string): Promise<ClaimedRefund | undefined> {
  const refund = KEY.test(key) ? await invoiceRefundOfClaim(db, digestOf(key)) : undefined;
  const invoice = refund && (await findInvoice(db, {}, refund.invoice_id));
  return refund && invoice && { refund, description: invoice.description };
}

/** Whether an account can still be named for it. */
export const isClaimable = (
  { clock }: Pick<RefundDeps, 'clock'>,
  { status, claim_expires_at }: InvoiceRefund,
): boolean => status === 'AWAITING_PAYER' && (claim_expires_at ?? '') > clock.now().toISOString();

/**
 * Has a refund paid to the account that the bearer of its link has typed, once: the first account counts. Answers what is
 * in the way, where something is.
 */
export async function payRefundClaim(
  deps: RefundDeps,
  { refund }: ClaimedRefund,
  typed: TypedAccount,
): Promise<ClaimObstacle | undefined> {
  const account = readRefundAccount(typed);
  if (typeof account === 'string') return account;
  const { db, quotas } = deps;
  const quota = { subject: `claims of ${refund.object_id}`, most: TRIES_A_DAY, withinMs: DAY_MS };
  if (await transact(db, (tx) => quotas.take(tx, [quota]))) return 'too_often';
  const { result } = await verifyPayeeOf(
    deps,
    { kind: 'bank', currency: 'IDR' },
    {
      name: account.accountName,
      details: { bank_code: account.bankCode, account_number: account.accountNumber },
    },
  );
  if (result === 'NO_MATCH') return 'no_match';
  const obstacle = await transact(db, (tx) => nameAccount(deps, tx, refund, account));
  if (obstacle === undefined)
    await deps.sagas.drive(refund.object_id, { patienceMs: REFUND_PATIENCE_MS });
  return obstacle;
}

/** Has that account paid. One update decides between several of them and the end of the time. */
export async function nameAccount(
  deps: Pick<RefundDeps, 'clock' | 'vault' | 'sagas' | 'refunding'>,
  tx: Db,
  refund: InvoiceRefund,
  account: BankAccount,
): Promise<ClaimObstacle | undefined> {
  if (!isClaimable(deps, refund)) return undefined;
  if (refund.unmatched_id === null && !(await mayPay(tx, refund))) return 'not_now';
  const move = { from: 'AWAITING_PAYER', to: 'PENDING' } as const;
  const row = await moveInvoiceRefund(tx, refund, move, keptPayee(deps, refund.object_id, account));
  if (!row) return undefined;
  if (row.unmatched_id === null) await emitNamedRefund(tx, 'pending', row);
  await startRefunding(deps, tx, row);
  return undefined;
}

/** Authority is looked at when it is paid: what was right when it was asked for may be wrong by now. */
export async function mayPay(tx: Db, { user_id, invoice_id }: InvoiceRefund): Promise<boolean> {
  const invoice = await findInvoice(tx, {}, invoice_id);
  if (!invoice || !(await mayAct(tx, user_id))) return false;
  return !(await balanceOf(tx, invoice.account_id)).is_frozen;
}
