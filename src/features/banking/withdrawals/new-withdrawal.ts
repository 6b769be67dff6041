import {
  openRecipientDetails,
  type PaidRecipient,
  type RecipientDetails,
} from '#features/banking/recipients/recipients.ts';
import type { ChargedFee } from '#features/fiat/fees/fees.ts';
import { type QuotedTrade, quotedFee, quotedFiat } from '#features/fiat/fx/fx.ts';
import { payoutHouse, spendGatewayCost } from '#features/fiat/payouts/payouts.ts';
import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { uncovered } from '#kernel/money/cost.ts';
import { objectId } from '#kernel/object-id.ts';
import type { PolicyDecision } from '#kernel/policies/decide.ts';
import type { BankAccount } from '#providers/gateway/port.ts';
import type { PayingDeps } from './deps.ts';
import { sealPayee } from './flow.ts';
import type { ReadOrder } from './order.ts';
import { payeeDetail } from './policy.ts';
import type { BankWithdrawal, NewWithdrawal } from './store.ts';

interface Decided {
  readonly withdrawal_id: string;
  readonly fee: ChargedFee;
  readonly decision: PolicyDecision;
  readonly trade: QuotedTrade | undefined;
}

/** The row of an order, with the account of this moment. */
export function newWithdrawal(
  deps: PayingDeps,
  { caller, operation, body, wallet, client_id, amount }: ReadOrder,
  recipient: PaidRecipient,
  { withdrawal_id, fee, decision, trade }: Decided,
): NewWithdrawal {
  const { wallet_id, account_id, currency, user_id } = wallet;
  const { recipient_id, fingerprint, name: payee_name, masked } = recipient;
  const details = openRecipientDetails(deps, recipient);
  const our_reference = objectId('wdr', withdrawal_id);
  const to_wallet_id = recipient.kind === 'wallet' ? Number(details['wallet_id']) : null;
  const paid = trade ? quotedFiat(trade.bought) : currency;
  return {
    withdrawal_id,
    our_reference,
    operation,
    client_id,
    user_id,
    made_by: caller.user_id,
    wallet_id,
    account_id,
    recipient_id,
    fingerprint,
    payee_name,
    to_wallet_id,
    sealed_payee:
      to_wallet_id === null ? sealPayee(deps, our_reference, bankOf(payee_name, details)) : null,
    payee_detail: payeeDetail(masked),
    rail: to_wallet_id === null ? payoutHouse(paid) : 'wallet',
    currency,
    amount: amount.units,
    fee: fee.units + (trade ? quotedFee(trade) : 0n),
    quote_id: body.quote_id ?? null,
    received_currency: trade ? quotedFiat(trade.bought) : null,
    received_amount: trade?.bought.units ?? null,
    fee_terms: fee.terms === null ? null : JSON.stringify(fee.terms),
    note: body.note ?? null,
    execute_at: body.execute_at ?? null,
    status: decision.approval_id === undefined ? 'PENDING' : 'PENDING_APPROVAL',
    ...timesOf(deps, body.execute_at, recipient, decision),
  };
}

const bankOf = (accountName: string, details: RecipientDetails): BankAccount => ({
  bankCode: String(details['bank_code']),
  accountNumber: String(details['account_number']),
  accountName,
});

/** When it may be paid: at the latest of what was asked for, what a policy says, and a day after the account's change. */
function timesOf(
  { clock }: Pick<PayingDeps, 'clock'>,
  execute_at: string | undefined,
  { usable_from }: Pick<PaidRecipient, 'usable_from'>,
  { held_until }: PolicyDecision,
): Pick<NewWithdrawal, 'held_until' | 'due_at'> {
  const now = clock.now();
  const held = [new Date(usable_from), held_until ?? now].filter((at) => at > now).map(Number);
  const until = held.length === 0 ? undefined : Math.max(...held);
  const asked = execute_at === undefined ? now.getTime() : Date.parse(execute_at);
  return {
    held_until: until === undefined ? null : new Date(until).toISOString(),
    due_at: new Date(Math.max(now.getTime(), asked, until ?? 0)).toISOString(),
  };
}

/** What the transfer costs the platform beyond its fee, from the user's budget. */
export async function spendWithdrawalCost(
  deps: PayingDeps,
  tx: Db,
  { rail, fee, currency }: Pick<BankWithdrawal, 'rail' | 'fee' | 'currency'>,
  by: Requester,
): Promise<void> {
  if (rail !== 'gateway') return;
  const { asset, units } = deps.prices('gateway.payout');
  // A fee in another currency is the platform's, and covers nothing of this cost.
  const cost = { asset, units: uncovered(units, currency === asset ? fee : 0n) };
  await spendGatewayCost(tx, deps, { name: 'withdrawals', cost }, by);
}
