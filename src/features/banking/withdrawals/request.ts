import {
  findRecipient,
  lockRecipient,
  type PaidRecipient,
} from '#features/banking/recipients/recipients.ts';
import { feeOf } from '#features/fiat/fees/fees.ts';
import { walletToPayFrom } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type QuotedTrade, quotedFiat, readPolicyMarket, useQuote } from '#features/fiat/fx/fx.ts';
import { requireTransferable } from '#features/fiat/payouts/payouts.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { moneyOf } from '#kernel/money/amount-fields.ts';
import type { Money } from '#kernel/money/money.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import type { PolicyDecision } from '#kernel/policies/decide.ts';
import { transact } from '#kernel/transact.ts';
import { startPaying } from './begin.ts';
import type { PayingDeps } from './deps.ts';
import { emitNewWithdrawal } from './events.ts';
import { newWithdrawal, spendWithdrawalCost } from './new-withdrawal.ts';
import type { ReadOrder, WithdrawalOrder } from './order.ts';
import { withdrawalPolicy } from './policy.ts';
import { holdWithdrawal } from './postings.ts';
import { requireCreditable } from './receiver.ts';
import {
  type BankWithdrawal,
  insertWithdrawal,
  readWithdrawal,
  requireWithdrawal,
} from './store.ts';

/** How long the request waits for the bank to accept it. */
const PATIENCE_MS = 3000;
const AHEAD_MAX_MS = 90 * 24 * 3_600_000;

/** Holds the money and, where nothing has to be waited for, has the bank asked. The flow goes on by itself. */
export async function requestWithdrawal(
  deps: PayingDeps,
  order: WithdrawalOrder,
): Promise<BankWithdrawal> {
  const { db } = deps;
  const known = await readWithdrawal(db, { operation: order.operation });
  if (known) return known;
  const read = await readOrder(deps, order);
  const made = await transact(db, (tx) => write(deps, tx, read));
  if (made.status !== 'PROCESSING') return made;
  // The request to the bank may fail: the withdrawal has begun.
  await deps.sagas.drive(made.our_reference, { patienceMs: PATIENCE_MS });
  return requireWithdrawal(db, made.our_reference);
}

async function readOrder(deps: PayingDeps, order: WithdrawalOrder): Promise<ReadOrder> {
  const { db, payouts, clock } = deps;
  const { wallet_id, body } = order;
  const { client_id, ...wallet } = await walletToPayFrom(db, order.caller, wallet_id);
  const { currency, user_id } = wallet;
  const amount = moneyOf({ amount: body.amount, currency });
  requireTime(body.execute_at, clock.now());
  const recipient = await findRecipient(db, { user_id }, body.recipient_id);
  if (!recipient) throw fail('NOT_FOUND', 'Recipient not found');
  if (body.quote_id === undefined) requireSuited(recipient, currency);
  const isToBank = recipient.kind !== 'wallet';
  if (isToBank) payouts.requireRail(recipient.currency ?? currency);
  if (isToBank && body.quote_id === undefined) requirePayable(deps, amount, 'amount');
  return { ...order, wallet, client_id, amount, market: await readPolicyMarket(deps.fx) };
}

const RUPIAH = 100n;

/** Refuses what banks do not transfer. */
function requirePayable({ prices }: PayingDeps, money: Money, field: string): void {
  if (money.asset === 'IDR' && money.units % RUPIAH !== 0n)
    throw wrongField(field, 'must be whole rupiah: banks transfer no cents');
  requireTransferable(prices, money, field);
}

function requireTime(execute_at: string | undefined, now: Date): void {
  if (execute_at === undefined) return;
  const ahead = new Date(execute_at).getTime() - now.getTime();
  if (ahead > AHEAD_MAX_MS) throw wrongField('execute_at', 'must be within 90 days');
  if (ahead < 0) throw wrongField('execute_at', 'must not be over already');
}

function requireSuited({ kind, currency }: PaidRecipient, paid: string): void {
  if (kind !== 'bank' && kind !== 'wallet')
    throw fail(
      'RAIL_NOT_AVAILABLE',
      `A withdrawal goes to a bank account or a wallet, not to ${kind}`,
    );
  if (currency !== paid)
    throw fail('CURRENCY_MISMATCH', `The recipient is paid in ${currency}, not in ${paid}`);
}

/** Uses the quote of an order up, and refuses what it buys where banks do not transfer that. */
async function tradeOf(
  deps: PayingDeps,
  tx: Db,
  { wallet: { user_id }, body: { quote_id }, amount }: ReadOrder,
  { kind, withdrawal_id }: Pick<PaidRecipient, 'kind'> & { readonly withdrawal_id: string },
): Promise<QuotedTrade | undefined> {
  if (quote_id === undefined) return undefined;
  const trade = await useQuote(tx, {
    quote_id,
    user_id,
    used_by: objectId('wdr', withdrawal_id),
    from: amount.asset,
    sells: amount.units,
  });
  if (kind === 'bank') requirePayable(deps, trade.bought, 'quote_id');
  return trade;
}

/** An admin prepares it for a user; the money goes by the user's own act, or by another person's approval. */
function requireOwnOrApproval(
  { caller, wallet }: ReadOrder,
  { approval_id }: PolicyDecision,
): void {
  if (caller.user_id === wallet.user_id || approval_id !== undefined) return;
  throw fail(
    'SECOND_PERSON_REQUIRED',
    'No policy asks for an approval here: the owner of the wallet has to withdraw',
  );
}

/** The row, its money and its flow, in one transaction. */
async function write(deps: PayingDeps, tx: Db, order: ReadOrder): Promise<BankWithdrawal> {
  const { caller, request, body, wallet, client_id, amount } = order;
  const { user_id } = wallet;
  const recipient = await lockRecipient(tx, { user_id }, body.recipient_id);
  if (!recipient) throw fail('NOT_FOUND', 'Recipient not found');
  const withdrawal_id = newObjectUuid(deps.clock.ms());
  const trade = await tradeOf(deps, tx, order, { kind: recipient.kind, withdrawal_id });
  requireSuited(recipient, trade ? quotedFiat(trade.bought) : wallet.currency);
  await requireCreditable(deps, tx, order, recipient);
  const policy = withdrawalPolicy(order, recipient, withdrawal_id, deps.clock.now());
  const decision = await deps.policies.decide(tx, policy);
  requireOwnOrApproval(order, decision);
  const rail = recipient.kind === 'wallet' ? 'wallet' : 'withdrawal';
  const fee = await feeOf(tx, { client_id, rail, amount });
  const made = newWithdrawal(deps, order, recipient, { withdrawal_id, fee, decision, trade });
  const row = await insertWithdrawal(tx, made);
  await spendWithdrawalCost(deps, tx, row, requesterOf(caller, request));
  emitNewWithdrawal(tx, 'pending', row);
  const isDue = row.status === 'PENDING' && new Date(row.due_at) <= deps.clock.now();
  const begun = isDue ? await startPaying(deps, tx, row, 2 * PATIENCE_MS) : undefined;
  if (begun) emitNewWithdrawal(tx, 'processing', begun);
  await holdWithdrawal(tx, row);
  return begun ?? row;
}
