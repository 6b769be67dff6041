import { setTimeout as sleep } from 'node:timers/promises';
import { type EvmChain, firstCallOf } from '#chains/evm/port.ts';
import {
  type Reservation,
  reserve,
  type Spend,
  toSpendingAppError,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { monotonicMs } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { type AppError, fail, wrongField } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { notePurchaseStep } from './audit.ts';
import type { OrderRouteDeps } from './deps.ts';
import { toPurchaseShortfall } from './funds.ts';
import { payableOf } from './on-chain.ts';
import {
  findOwnOrder,
  flowId,
  getOrder,
  moveOrder,
  type PurchaseOrder,
  purchaseReferenceOf,
} from './store.ts';

/** How long a caller waits for the whole flow. */
const PATIENCE_MS = 45_000;
/** How long an unknown step is polled, and how often. */
const MOMENT_MS = 5_000;
const LOOK_MS = 200;
/** How long the request drives its flow, before its jobs do. */
const DRIVEN_MS = 60_000;
const RETRY_S = 5;

export interface PurchaseConfirmation {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly body: {
    readonly order_id: string;
    readonly confirmation: string;
    readonly wallet_address: string;
    readonly selected_chain?: string | null;
  };
}

/**
 * Begins a confirmed order, once, and answers it as completed. A repetition resumes it or answers the same. Throws what
 * is missing before anything has moved, and the outcome where it failed.
 */
export async function executeOrder(
  deps: OrderRouteDeps,
  asked: PurchaseConfirmation,
): Promise<PurchaseOrder> {
  const { caller, body } = asked;
  if (!/confirm/i.test(body.confirmation))
    throw fail('CONFIRMATION_REQUIRED', 'User did not confirm purchase');
  const order = await findOwnOrder(deps.db, caller.user_id, body.order_id);
  if (!order) throw fail('NOT_FOUND', 'Order not found');
  if (order.wallet_address.toLowerCase() !== body.wallet_address.toLowerCase())
    throw wrongField('wallet_address', 'is not the one that the order is paid from');
  if (body.selected_chain && body.selected_chain !== order.chain_id)
    throw wrongField('selected_chain', 'is not the chain of the order');
  if (order.status === 'CREATED') await begin(deps, order, asked);
  if (order.status !== 'EXPIRED') await drive(deps, order);
  return endOf(await getOrder(deps.db, order.order_id));
}

/** Another request may be at the same step: waits a moment for its outcome. */
async function drive({ sagas }: OrderRouteDeps, { order_id }: PurchaseOrder): Promise<void> {
  for (const since = monotonicMs(); ; await sleep(LOOK_MS)) {
    const { finished } = await sagas.drive(flowId(order_id), { patienceMs: PATIENCE_MS });
    if (finished || monotonicMs() - since >= MOMENT_MS) return;
  }
}

/** Holds the funds and starts the flow, in one transaction. */
async function begin(
  deps: OrderRouteDeps,
  order: PurchaseOrder,
  asked: PurchaseConfirmation,
): Promise<void> {
  if (new Date(order.expires_at) <= deps.clock.now()) throw lapsed(order);
  const chain = deps.evm.chains[order.chain_id];
  const first = await hold(deps, chain, order, asked);
  const ending = deps.config.MOCK_MODE
    ? await withGas(deps, chain, order, { asked, first })
    : first;
  if (ending === 'unmanaged') throw fail('WALLET_NOT_FOUND', 'The wallet is not there any more');
  // Another request has begun it, or it has just expired.
  if (ending === 'unwritten') return;
  if ('fault' in ending) throw toSpendingAppError(ending.fault, chain, toPurchaseShortfall);
  if ('short' in ending) {
    const { token_contract, required, available } = ending.short;
    const asset = token_contract === NATIVE ? chain.info.native : 'USDC';
    throw toPurchaseShortfall({ asset, required, available });
  }
}

const NATIVE = 'native';
type Holding = Reservation<PurchaseOrder>;

async function hold(
  deps: OrderRouteDeps,
  chain: EvmChain,
  order: PurchaseOrder,
  asked: PurchaseConfirmation,
): Promise<Holding> {
  const purse = { db: deps.db, chain, address: order.wallet_address };
  try {
    const spend = await spendOf(chain, order);
    return await reserve(purse, [spend], (tx) => start(deps, tx, order, asked));
  } catch (error) {
    throw toSpendingAppError(error, chain, toPurchaseShortfall);
  }
}

/** Undefined where another request has begun it, or it has expired. */
async function start(
  { sagas, machine }: OrderRouteDeps,
  tx: Db,
  { order_id }: PurchaseOrder,
  asked: PurchaseConfirmation,
): Promise<PurchaseOrder | undefined> {
  const order = await moveOrder(tx, order_id, { from: 'CREATED', to: 'PAYING' });
  if (!order) return undefined;
  await notePurchaseStep(tx, 'CONFIRMED', order, asked);
  const data = { order_id };
  await sagas.start(tx, machine, { id: flowId(order_id), data, drivenForMs: DRIVEN_MS });
  return order;
}

/** A payment cannot be simulated before the contract has its allowance. */
const spendOf = async (chain: EvmChain, order: PurchaseOrder): Promise<Spend> => ({
  reference: purchaseReferenceOf(order, 'pay'),
  units: order.usdc_units,
  token_contract: chain.contracts.usdc,
  ...(await firstCallOf(chain, order.wallet_address, payableOf(chain, order))),
});

/** In mock mode the hot wallet pays the buyer's missing gas, once for an order. */
async function withGas(
  deps: OrderRouteDeps,
  chain: EvmChain,
  order: PurchaseOrder,
  { asked, first }: { readonly asked: PurchaseConfirmation; readonly first: Holding },
): Promise<Holding> {
  const short = typeof first === 'object' && 'short' in first ? first.short : undefined;
  if (short?.token_contract !== NATIVE) return first;
  try {
    await chain.sender.execute({
      signer: deps.evm.keys.hot,
      to: order.wallet_address,
      value: short.required * 2n,
      reference: purchaseReferenceOf(order, 'gas'),
      purpose: 'purchase gas',
    });
  } catch (error) {
    throw toSpendingAppError(error, chain, toPurchaseShortfall);
  }
  return hold(deps, chain, order, asked);
}

const lapsed = ({ expires_at }: PurchaseOrder): AppError =>
  fail('INVALID_STATUS', 'The order has expired: create another one', { details: { expires_at } });

function endOf(order: PurchaseOrder): PurchaseOrder {
  const { order_id, status, refund_tx_hash, failure } = order;
  if (status === 'COMPLETED') return order;
  if (status === 'EXPIRED' || status === 'CREATED') throw lapsed(order);
  const details = { order_id, status, ...(failure && { failure }) };
  if (status === 'FAILED')
    throw fail('PROVIDER_REJECTED', 'The payment was refused on chain: nothing was taken', {
      details,
    });
  if (status === 'REFUNDED')
    throw fail('PROVIDER_REJECTED', 'The order could not be recorded: what was paid is back', {
      details: { ...details, tx_hash_refund: refund_tx_hash },
    });
  throw fail('PROVIDER_UNAVAILABLE', 'The order is under way: ask again', {
    details,
    retryAfter: RETRY_S,
  });
}
