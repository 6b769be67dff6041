import { randomBytes } from 'node:crypto';
import type { ChainKey, EvmChain } from '#chains/evm/port.ts';
import {
  type ManagedAddress,
  managedAddresses,
} from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import {
  readSpendable,
  toSpendingAppError,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { spendableOf } from '#kernel/money/shown-balance.ts';
import { transact } from '#kernel/transact.ts';
import { notePurchaseStep } from './audit.ts';
import { chainInfo } from './chain-options.ts';
import type { NewOrderDeps } from './deps.ts';
import { toPurchaseShortfall } from './funds.ts';
import type { GivenProduct } from './order-input.ts';
import type { Created } from './presenters.ts';
import { type SourcedProduct, sourceOf } from './product-source.ts';
import { agree, type QuotedPrice } from './quote.ts';
import {
  insertPurchaseOrder,
  type NewPurchaseOrder,
  type PurchaseOrder,
  type PurchaseRecipient,
  purchaseFindByOperation,
} from './store.ts';

/** How long an order can be confirmed: later its price would be old. */
const ORDER_MS = 30 * 60_000;

export interface PurchaseInput {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  readonly version: 'v1' | 'v2';
  readonly chain_id: ChainKey;
  readonly body: {
    readonly product: GivenProduct;
    readonly pricing: QuotedPrice;
    readonly recipient: PurchaseRecipient;
    readonly wallet_address: string;
  };
}

/**
 * Checks the source of the price, the owner and the balance of the wallet, and inserts the order. It holds no funds
 * before the order is confirmed.
 */
export async function createPurchaseOrder(
  deps: NewOrderDeps,
  wish: PurchaseInput,
): Promise<Created> {
  const { db, evm } = deps;
  const { caller, operation, chain_id, body } = wish;
  const chain = evm.chains[chain_id];
  const known = await purchaseFindByOperation(db, caller.user_id, operation);
  // A repeated order may be paid already, from this wallet.
  if (known) return { order: known, ...(await fundsOf(deps, chain, known)) };
  const source = await sourceOf(deps, body.product, wish);
  const pricing = await agree(deps, source.product.priceText, body.pricing);
  const { wallet_address } = body;
  const { user_id } = caller;
  const [wallet] = await managedAddresses(db, { user_id }, { chain_id, wallet_address });
  if (!wallet) throw fail('WALLET_NOT_FOUND', `You have no wallet of that address on ${chain_id}`);
  const required = { wallet_address: wallet.wallet_address, usdc_units: pricing.usdc.units };
  const funds = await enoughFunds(deps, chain, required);
  const values = await valuesOf(deps, wish, { wallet, chain, source });
  const order = await write(db, wish, {
    ...values,
    price_asset: pricing.price.asset,
    price_units: pricing.price.units,
    usdc_units: pricing.usdc.units,
    rate: pricing.rate,
    rates_source: pricing.source,
    rates_at: pricing.at,
  });
  return { order, ...funds };
}

/** Throws INSUFFICIENT_BALANCE where the wallet's available USDC is less. */
async function enoughFunds(...asked: Parameters<typeof fundsOf>): Promise<Omit<Created, 'order'>> {
  const funds = await fundsOf(...asked);
  const [, , { usdc_units: required }] = asked;
  const { available } = funds.usdc;
  if (available < required) throw toPurchaseShortfall({ asset: 'USDC', required, available });
  return funds;
}

/** The wallet's balance and available amount. */
async function fundsOf(
  { config, db }: NewOrderDeps,
  chain: EvmChain,
  { wallet_address }: Pick<PurchaseOrder, 'wallet_address' | 'usdc_units'>,
): Promise<Omit<Created, 'order'>> {
  const place = { db, chain, address: wallet_address };
  const { coin, token } = await readSpendable(place, chain.contracts.usdc).catch(
    (error: unknown) => {
      throw toSpendingAppError(error, chain, toPurchaseShortfall);
    },
  );
  const usdc = token ?? { units: 0n, ...spendableOf(0n, 0n) };
  return { usdc, canPayGas: config.MOCK_MODE || coin.available > 0n };
}

interface Terms {
  readonly wallet: ManagedAddress;
  readonly chain: EvmChain;
  readonly source: SourcedProduct;
}

type Priced = 'price_asset' | 'price_units' | 'usdc_units' | 'rate' | 'rates_source' | 'rates_at';

async function valuesOf(
  { clock }: NewOrderDeps,
  { operation, version, chain_id, body: { recipient } }: PurchaseInput,
  { wallet, chain, source }: Terms,
): Promise<Omit<NewPurchaseOrder, Priced>> {
  const at = clock.now();
  return {
    order_id: `MCP-${at.getTime()}-${randomBytes(4).toString('hex').toUpperCase()}`,
    operation,
    version,
    chain_id,
    recipient,
    ...source,
    user_id: wallet.user_id,
    client_id: wallet.client_id,
    wallet_address: wallet.wallet_address,
    chain_info: await chainInfo(chain),
    created_at: at.toISOString(),
    expires_at: new Date(at.getTime() + ORDER_MS).toISOString(),
  };
}

async function write(
  db: Db,
  { caller, request, operation }: PurchaseInput,
  values: NewPurchaseOrder,
): Promise<PurchaseOrder> {
  const order = await transact(db, async (tx) => {
    const written = await insertPurchaseOrder(tx, values);
    if (written) await notePurchaseStep(tx, 'ORDERED', written, { caller, request });
    return written;
  });
  const found = order ?? (await purchaseFindByOperation(db, caller.user_id, operation));
  if (!found) throw new Error(`The order of ${operation} vanished`);
  return found;
}
