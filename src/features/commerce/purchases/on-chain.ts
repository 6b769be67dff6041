import { setTimeout as sleep } from 'node:timers/promises';
import { type Hash, keccak256, toHex } from 'viem';
import { recordPurchaseCall, transferCall } from '#chains/evm/contracts/port.ts';
import {
  type EvmChain,
  type ExecutedTransaction,
  mayHappen,
  payOrder,
  type Signer,
} from '#chains/evm/port.ts';
import {
  managedAddresses,
  signerOf,
} from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import {
  outcomeOf,
  sendOnce,
  withConfirmations,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { monotonicMs } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { LostAttempt } from '#kernel/effects/effect.ts';
import { type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { CallContext } from '#kernel/effects/saga-machine.ts';
import type { OrderDeps } from './deps.ts';
import { toPurchaseShortfall } from './funds.ts';
import {
  lockIn,
  type PurchaseOrder,
  type PurchaseOrderStatus,
  purchaseReferenceOf,
} from './store.ts';

type Deps = Pick<OrderDeps, 'db' | 'vault' | 'evm'>;
type Context = Pick<CallContext, 'isInline'>;

/** How long a caller waits for confirmations after the first, and the pause between two polls. */
const PATIENCE_MS = 30_000;
const LOOK_MS = 1000;

/**
 * Pays the order's USDC from the buyer's wallet to the payment contract, under the order's id: once for any number of
 * calls. Signs only while the order is PAYING.
 */
export async function payOnChain(
  deps: Deps,
  order: PurchaseOrder,
  { isInline }: Context,
): Promise<Outcome<ExecutedTransaction>> {
  const chain = deps.evm.chains[order.chain_id];
  const reference = purchaseReferenceOf(order, 'pay');
  const payment = {
    ...payableOf(chain, order),
    reference,
    signer: await buyerOf(deps, order),
    purpose: 'purchase',
    permit: permitIn(order, 'PAYING'),
  };
  const outcome = await outcomeOf(chain, { reference, toShortfall: toPurchaseShortfall }, () =>
    payOrder(chain, payment),
  );
  return confirmed(chain, outcome, isInline);
}

/** The amount, token and contract of a payment. */
export const payableOf = (
  { contracts }: EvmChain,
  { order_id: orderId, usdc_units: units }: PurchaseOrder,
) => ({ contract: contracts.marketplace, token: contracts.usdc, orderId, units });

/** Records the purchase on chain. A lack of the platform's own funds does not fail the order. */
export async function recordOnChain(
  deps: Deps,
  order: PurchaseOrder,
  { isInline }: Context,
): Promise<Outcome<ExecutedTransaction>> {
  const chain = deps.evm.chains[order.chain_id];
  const { order_id, wallet_address: buyer, usdc_units: units, payment_tx_hash } = order;
  const outcome = await sendOnce(
    chain,
    {
      signer: deps.evm.keys.hot,
      ...recordPurchaseCall(chain.contracts, {
        orderId: order_id,
        buyer,
        units,
        metaHash: metaHashOf(order),
        paymentTx: payment_tx_hash as Hash,
      }),
      reference: purchaseReferenceOf(order, 'record'),
      purpose: 'purchase record',
      permit: permitIn(order, 'PAID'),
    },
    toPurchaseShortfall,
  );
  const isOurLack = outcome.kind === 'refused' && outcome.code === 'INSUFFICIENT_FUNDS';
  return confirmed(chain, isOurLack ? unknown(outcome.message) : outcome, isInline);
}

/** Refunds the USDC from the treasury to the buyer's wallet. It is repeated until it works. */
export async function refundOnChain(
  deps: Deps,
  order: PurchaseOrder,
  { isInline }: Context,
): Promise<Outcome<ExecutedTransaction>> {
  const chain = deps.evm.chains[order.chain_id];
  const outcome = await sendOnce(
    chain,
    {
      signer: deps.evm.keys.treasury,
      ...transferCall(chain.contracts.usdc, order.wallet_address, order.usdc_units),
      reference: purchaseReferenceOf(order, 'refund'),
      purpose: 'purchase refund',
      permit: permitIn(order, 'REFUNDING'),
    },
    toPurchaseShortfall,
  );
  const certain = outcome.kind === 'refused' ? unknown(outcome.message) : outcome;
  return confirmed(chain, certain, isInline);
}

/** The public part of a purchase: product and price, and no personal data. */
function metaHashOf({
  order_id,
  product,
  price_asset,
  price_units,
  chain_id,
}: PurchaseOrder): Hash {
  const { title, url } = product;
  const meta = { order_id, title, url, currency: price_asset, units: `${price_units}`, chain_id };
  return keccak256(toHex(JSON.stringify(meta)));
}

/** Signs in a transaction that locks the order in its status: a slow attempt signs nothing. */
const permitIn =
  ({ order_id }: PurchaseOrder, status: PurchaseOrderStatus) =>
  async (tx: Db): Promise<void> => {
    if (!(await lockIn(tx, order_id, status))) throw new LostAttempt(order_id);
  };

/** Throws where a step's transaction was signed and may still happen: then it cannot be refused. */
export async function assertNotSigned(tx: Db, reference: string): Promise<void> {
  if (await mayHappen(tx, reference)) throw new LostAttempt(`${reference} is signed`);
}

/** A deleted wallet's key is needed only where nothing is signed yet. */
async function buyerOf({ db, vault }: Deps, order: PurchaseOrder): Promise<Signer> {
  const { user_id, wallet_address, chain_id } = order;
  const [address] = await managedAddresses(db, { user_id }, { wallet_address, chain_id });
  if (address) return signerOf(vault, address);
  return {
    address: wallet_address,
    sign: () => Promise.reject(new Error(`The key of ${wallet_address} is gone`)),
  };
}

/** A mined transaction counts with its confirmations; an inline call waits for them. */
async function confirmed(
  chain: EvmChain,
  outcome: Outcome<ExecutedTransaction>,
  isInline: boolean,
): Promise<Outcome<ExecutedTransaction>> {
  for (const since = monotonicMs(); ; await sleep(LOOK_MS)) {
    const found = await withConfirmations(chain, outcome);
    const mayWait = isInline && monotonicMs() - since < PATIENCE_MS;
    if (found.kind !== 'unknown' || outcome.kind !== 'done' || !mayWait) return found;
  }
}
