import { randomBytes } from 'node:crypto';
import { checkDestination } from '#chains/destinations.ts';
import { type ChainKey, typedEvmAddress } from '#chains/evm/port.ts';
import { managedOwners } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { isWalletOf, notYourWallet } from '#features/chain-wallets/wallet-proofs/wallet-proofs.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { transact } from '#kernel/transact.ts';
import { usdcOf } from '../catalogue/price.ts';
import type { MarketDeps } from '../deps.ts';
import { emitOrder } from './events.ts';
import {
  findByOperation,
  insertOrder,
  type MarketplaceOrder,
  type NewOrder,
  type Recipient,
} from './order-store.ts';
import { type QuotedOffer, quoteOffer, type SubmittedProduct } from './quote-check.ts';

export interface MarketplaceOrderInput {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
  readonly operation: string;
  readonly product: SubmittedProduct;
  readonly recipient: Recipient;
  readonly wallet_address: string;
  readonly chain_id: ChainKey;
}

/** How long a price holds and the order can be paid. */
const PAY_WITHIN_MS = 3_600_000;
/** Unpaid orders of one user at a time. */
const UNPAID_MAX = 100;

/** Inserts an order at the present price. A repetition of the request finds it. */
export async function createOrder(
  deps: MarketDeps,
  input: MarketplaceOrderInput,
): Promise<MarketplaceOrder> {
  const known = await findByOperation(deps.db, input.operation);
  if (known) return known;
  const wallet = typedEvmAddress(input.wallet_address, deps.config);
  if (wallet === undefined)
    throw fail('INVALID_WALLET_FORMAT', 'wallet_address is no 0x address with a valid checksum');
  await checkDestination(deps.evm, wallet, { field: 'wallet_address', refusal: noWallet });
  await refuseForeignWallet(deps, input, wallet);
  const quoted = await quoteOffer(deps, input.product);
  const { contracts } = deps.evm.chains[input.chain_id];
  const created = deps.clock.now();
  const order: NewOrder = {
    ...idsOf(input, created),
    ...pricesOf(quoted),
    chain_id: input.chain_id,
    wallet_address: wallet,
    contract_address: contracts.marketplace,
    token_address: contracts.usdc,
    recipient: input.recipient,
    expires_at: new Date(created.getTime() + PAY_WITHIN_MS).toISOString(),
    created_at: created.toISOString(),
  };
  return insert(deps, input, order);
}

/** Overpayments are refunded to that wallet, so it has to be one. */
const noWallet = (message: string) => fail('INVALID_WALLET_FORMAT', `wallet_address ${message}`);

/**
 * A transfer from a wallet pays the orders that name it, so an order has to name a wallet of its user. In mock mode an
 * external wallet need not be proven.
 */
async function refuseForeignWallet(
  { db, config }: Pick<MarketDeps, 'db' | 'config'>,
  { caller, chain_id }: MarketplaceOrderInput,
  wallet_address: string,
): Promise<void> {
  if (await isWalletOf(db, caller.user_id, { wallet_address, chain_id })) return;
  const managed = await managedOwners(db, [wallet_address]);
  if (managed.size > 0) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  if (!config.MOCK_MODE) throw notYourWallet();
}

function idsOf({ caller, operation }: MarketplaceOrderInput, at: Date) {
  return {
    order_id: `MKT-${at.getTime()}-${shortId()}`,
    page_key: randomBytes(18).toString('base64url'),
    operation,
    user_id: caller.user_id,
    client_id: caller.client_id,
  };
}

/** 32 signs without those that look alike. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz023456789';
const shortId = (): string => [...randomBytes(8)].map((byte) => SIGNS[byte % 32]).join('');

const TEXT_MAX = 2000;

function pricesOf({ offer, price, isKnown }: QuotedOffer) {
  const { id, title, description, images, url, source, vendor } = offer;
  const { name, marketplace, shop_name, shop_url } = vendor;
  const { original, usd, shipping, total, fx } = price;
  return {
    product: {
      id,
      title,
      url,
      source,
      description: description.slice(0, TEXT_MAX),
      image: images[0] ?? null,
    },
    vendor: { name, marketplace, shop_name, shop_url },
    source,
    is_known: isKnown,
    original_units: original.units,
    original_currency: original.asset,
    usd_units: usd.units,
    shipping_units: shipping.units,
    total_units: total.units,
    fx_rate: fx?.rate ?? null,
    fx_at: fx?.at ?? null,
    units: usdcOf(total).units,
  };
}

const insert = ({ db }: MarketDeps, { caller, request }: MarketplaceOrderInput, order: NewOrder) =>
  transact(db, async (tx) => {
    const row = await insertOrder(tx, order, UNPAID_MAX);
    if (row === undefined)
      throw fail('LIMIT_EXCEEDED', `There are ${UNPAID_MAX} unpaid orders already: pay some first`);
    emitOrder(tx, 'created', row);
    await logActivity(tx, {
      action: 'MARKETPLACE_ORDER_CREATED',
      actor: caller,
      subject_user_id: caller.user_id,
      details: { order_id: row.order_id, chain_id: row.chain_id },
      request,
    });
    return row;
  });
