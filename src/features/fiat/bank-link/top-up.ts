import { type FiatWallet, findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { isInDebt } from '#kernel/ledger/debts.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { worthAtMost } from '#kernel/money/cost.ts';
import { format, type Money, money } from '#kernel/money/money.ts';
import { spendPlatformCost } from '#kernel/quota/platform-costs.ts';
import { transact } from '#kernel/transact.ts';
import { bankAccounts } from './accounts.ts';
import { creditOperation } from './booking.ts';
import { spendOne } from './ceilings.ts';
import type { BankDeps } from './connect.ts';
import { lockConnection } from './connection-store.ts';
import { noConnection, refusalOf } from './refusals.ts';
import type { Pull } from './top-up-machine.ts';
import { findTopUp, insertTopUp, pendingOf, type TopUp } from './top-up-store.ts';

export type TopUpDeps = BankDeps & { readonly machine: Machine<Pull> };

export interface TopUpOrder {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  /** The same for a repetition of the request. */
  readonly operation: string;
  readonly wallet_id: number;
  readonly amount: string;
}

/** The most that one ACH debit may be, and that a wallet may have in flight. */
const LIMIT = money('USD', '100000');
const PENDING_MAX = 50;
const DRIVEN_FOR_MS = 60_000;
const PATIENCE_MS = 8000;

/** Takes dollars from the wallet's bank account: at once in mock mode, else when the transfer settles. */
export async function topUp(deps: TopUpDeps, order: TopUpOrder): Promise<TopUp> {
  const { db, config } = deps;
  const amount = money('USD', order.amount);
  if (amount.units > LIMIT.units)
    throw fail('LIMIT_EXCEEDED', `At most ${format(LIMIT)} USD at a time`);
  const wallet = await findFiatWallet(db, { user_id: order.caller.user_id }, order.wallet_id);
  if (!wallet) throw noConnection();
  if (config.MOCK_MODE) return settleAtOnce(deps, order, wallet, amount);
  await transact(db, async (tx) => {
    if (!(await begin(tx, order, { wallet, amount, isSettled: false }))) return;
    await spendOne(deps, tx, 'bank top-ups', wallet.user_id);
    await spendPlatformCost(
      tx,
      deps,
      costOf(deps, amount),
      requesterOf(order.caller, order.request),
    );
    const id = sagaId(order.operation);
    const data = { top_up_id: order.operation };
    await deps.sagas.start(tx, deps.machine, { id, data, drivenForMs: DRIVEN_FOR_MS });
  });
  const saga = await deps.sagas.drive(sagaId(order.operation), { patienceMs: PATIENCE_MS });
  const row = await existing(db, order.operation);
  if (row.status !== 'FAILED') return row;
  const [code = '', ...words] = (saga.last_error ?? 'REFUSED: refused').split(': ');
  throw refusalOf(code, words.join(': '));
}

/** The price of the debit; its whole amount is the user's. */
const costOf = ({ config, prices }: TopUpDeps, amount: Money) => ({
  name: 'bank top-ups',
  units: worthAtMost(undefined, [prices('bank.top_up', amount)]),
  isOwn: config.PLAID_URL === undefined,
});

const sagaId = (top_up_id: string): string => `bank-top-up:${top_up_id}`;

async function settleAtOnce(
  { db }: TopUpDeps,
  order: TopUpOrder,
  wallet: FiatWallet,
  amount: Money,
): Promise<TopUp> {
  const { account_id } = wallet;
  await transact(db, async (tx) => {
    if (!(await begin(tx, order, { wallet, amount, isSettled: true }))) return;
    const row = { top_up_id: order.operation, account_id, amount: amount.units };
    await postWithin(tx, creditOperation(row, await bankAccounts(tx)));
  });
  return existing(db, order.operation);
}

/** Stores the row with its requester; false where this operation has begun before. */
async function begin(
  tx: Db,
  { caller, request, operation }: TopUpOrder,
  given: { readonly wallet: FiatWallet; readonly amount: Money; readonly isSettled: boolean },
): Promise<boolean> {
  const { wallet, amount, isSettled } = given;
  if (await findTopUp(tx, operation)) return false;
  const { wallet_id, user_id, account_id } = wallet;
  // Locked, so that it stays connected, and no more than the limit begin.
  const connection = await lockConnection(tx, wallet_id);
  if (!connection) throw noConnection();
  if (wallet.currency !== 'USD')
    throw fail('VALIDATION_ERROR', 'Only a USD wallet is topped up from a bank account');
  if (await isInDebt(tx, wallet.user_id))
    throw fail('DEBT_OUTSTANDING', 'Money that was taken back is still owed');
  if (!isSettled && (await pendingOf(tx, wallet_id, PENDING_MAX)) >= PENDING_MAX)
    throw fail('LIMIT_EXCEEDED', `At most ${PENDING_MAX} top-ups of a wallet are in flight`);
  const { connection_id } = connection;
  const source = { wallet_id, user_id, account_id, connection_id };
  const row = { ...source, top_up_id: operation, amount: amount.units, isSettled };
  if (!(await insertTopUp(tx, row))) return false;
  await logActivity(tx, {
    action: 'BANK_TOPUP',
    actor: caller,
    subject_user_id: user_id,
    details: { transaction_id: operation, wallet_id, units: amount.units.toString() },
    request,
  });
  return true;
}

async function existing(db: Db, top_up_id: string): Promise<TopUp> {
  const row = await findTopUp(db, top_up_id);
  if (!row) throw new Error(`The top-up ${top_up_id} vanished`);
  return row;
}
