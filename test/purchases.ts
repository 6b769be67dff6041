import type { ChainKey } from '#chains/evm/port.ts';
import { balanceOf, houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Asset, money } from '#kernel/money/money.ts';
import type { Body, Harness, Person } from './harness.ts';
import { fund, walletOn } from './wallets.ts';

export const RECIPIENT = {
  name: 'Siti Rahma',
  phone: '+6281200001111',
  address: 'Jl. Melati 1, Jakarta',
  notes: 'Ring twice',
};

export interface Buyer {
  readonly as: Person;
  readonly chain: ChainKey;
  readonly wallet_address: string;
}

/** Calls of tests of purchases through the API. */
export function purchases(h: Harness) {
  /** A user with a wallet, USDC and, by default, coins for gas. */
  async function buyer({
    chain = 'neon' as ChainKey,
    usdc = '100',
    native = '1',
  } = {}): Promise<Buyer> {
    const as = await h.user();
    const [made] = await walletOn(h, as, chain);
    const wallet_address = made?.wallet_address ?? '';
    if (native !== '0') await fund(h, chain, wallet_address, 'native', native);
    if (usdc !== '0') await fund(h, chain, wallet_address, 'USDC', usdc);
    return { as, chain, wallet_address };
  }

  /** Out of mock mode from a page of the sandbox's shop with that price. */
  const product = (priceText = '$20.00') => ({
    title: 'Desk lamp',
    priceText,
    url: h.kernel.config.MOCK_MODE
      ? 'https://shop.example/lamp'
      : `${h.app.sandboxUrl()}/shop/lamps/${money('USD', priceText.slice(1)).units}`,
    site: 'shop.example',
  });

  /** By step 3a. */
  async function priced(priceText = '$20.00'): Promise<Body> {
    const [status, body] = await h.call('POST /mcp/step3a', {
      body: { product: product(priceText) },
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return { product: body.product, pricing: body.pricing };
  }

  async function create(
    who: Buyer,
    more: object = {},
    priceText?: string,
  ): Promise<[number, Body]> {
    const isV2 = who.chain !== 'neon';
    return h.call(isV2 ? 'POST /mcp/v2/create-order' : 'POST /mcp/create-order', {
      as: who.as,
      body: {
        ...(await priced(priceText)),
        recipient: RECIPIENT,
        wallet_address: who.wallet_address,
        ...(isV2 && { selected_chain: who.chain }),
        ...more,
      },
    });
  }

  /** The id of an order that may be confirmed. */
  async function ordered(who: Buyer, priceText?: string): Promise<string> {
    const [status, body] = await create(who, {}, priceText);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.order_id;
  }

  const execute = (who: Buyer, order_id: string, more: object = {}): Promise<[number, Body]> =>
    h.call(who.chain === 'neon' ? 'POST /mcp/execute-order' : 'POST /mcp/v2/execute-order', {
      as: who.as,
      body: {
        order_id,
        confirmation: 'I confirm',
        wallet_address: who.wallet_address,
        ...more,
      },
    });

  /** An address's USDC on chain. */
  async function usdcOf(chain: ChainKey, address: string): Promise<bigint> {
    const [, { balance }] = await h.call('GET /crosschain/balance/{chain}/{address}', {
      as: await h.user(),
      params: { chain, address },
    });
    return money('USDC', balance).units;
  }

  /** Balance of a house account, in whole units. */
  async function house(purpose: string, asset: Asset): Promise<bigint> {
    return (await balanceOf(h.db, await openAccount(h.db, houseAccount(purpose, asset)))).posted;
  }

  const row = (order_id: string) =>
    h.db
      .selectFrom('purchase_orders')
      .selectAll()
      .where('order_id', '=', order_id)
      .executeTakeFirstOrThrow();

  return { buyer, product, priced, create, ordered, execute, usdcOf, house, row };
}
