import { type Hash, parseTransaction } from 'viem';
import { mintTokenCall } from '#chains/evm/contracts/port.ts';
import type { ChainKey } from '#chains/evm/port.ts';
import type { Body, CallOptions, Harness, Person } from './harness.ts';
import { mined, node, stranger } from './strangers.ts';
import { fund, walletOn } from './wallets.ts';

export const RECIPIENT = {
  name: 'Siti Rahma',
  phone: '+628123456789',
  address: 'Jl. Melati 5, Bandung',
  email: 'siti@example.test',
  notes: 'ring twice',
};

/** A shopper's actions. */
export function shopper(h: Harness, as: Person) {
  const order = (body: object, more: Omit<CallOptions, 'as' | 'body'> = {}) =>
    h.call('POST /marketplace/orders', {
      as,
      body: { recipient: RECIPIENT, ...body },
      ...more,
    });
  return {
    as,
    order,
    async search(query: string, over: object = {}): Promise<Body[]> {
      const [status, body] = await h.call('POST /marketplace/search', {
        as: 'nobody',
        body: { query, ...over },
      });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.products;
    },
    /** An order of some product, to be paid from that wallet. */
    async ordered(wallet_address: string, over: object = {}): Promise<Body> {
      const [product] = await this.search('batik scarf');
      const [status, body] = await order({ product, wallet_address, ...over });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.order;
    },
    async read(order_id: string): Promise<Body> {
      const [, body] = await h.call('GET /marketplace/orders/{order_id}', {
        as,
        params: { order_id },
      });
      return body.order;
    },
    pay: (order_id: string, more: Omit<CallOptions, 'as' | 'params'> = {}) =>
      h.call('POST /marketplace/orders/{order_id}/pay', { as, params: { order_id }, ...more }),
    list: (query: Record<string, string | number> = {}) =>
      h.call('GET /marketplace/orders', { as, query }),
  };
}
export type Shopper = ReturnType<typeof shopper>;

/** Polls the chains, as the service does every few seconds, and once a minute while no order awaits payment. */
export async function look(h: Harness): Promise<void> {
  // A schedule becomes due after its first check.
  await h.drain();
  await h.advance(61);
  await h.drain();
}

/** An order's price in units of USDC. */
export const unitsOf = ({ token_amount }: Body): bigint => BigInt(token_amount.replace('.', ''));

/** A stranger with USDC and coins on that chain. */
export async function payerOn(h: Harness, key: ChainKey, units = 10_000_000_000n) {
  const chain = h.app.evm.chains[key];
  const payer = await stranger(chain);
  await chain.sender.execute({
    signer: h.app.evm.keys.hot,
    ...mintTokenCall(chain.contracts.usdc, payer.address, units),
    reference: `payer:${payer.address}`,
    purpose: 'test',
  });
  return payer;
}

/** A signed payment, and a function that has it mined again after its block was dropped. */
export async function signedPayment(
  h: Harness,
  payer: Pick<Awaited<ReturnType<typeof payerOn>>, 'address' | 'allow'>,
  hash: Hash,
) {
  const chain = h.app.evm.chains.sepolia;
  const client = await chain.client();
  const raw = (await client.request({
    method: 'eth_getRawTransactionByHash' as never,
    params: [hash] as never,
  })) as Hash;
  return {
    async again(units: bigint): Promise<void> {
      // The allowance was in the dropped blocks as well.
      await payer.allow(units);
      const { nonce = 0 } = parseTransaction(raw);
      await node(chain, 'anvil_setNonce', payer.address, `0x${nonce.toString(16)}`);
      await client.sendRawTransaction({ serializedTransaction: raw });
      await mined(chain, hash);
    },
  };
}

/** A managed wallet with coins and USDC. */
export async function richWallet(h: Harness, as: Person, chain: ChainKey, usdc = '5000') {
  const [wallet] = await walletOn(h, as, chain);
  const address = wallet?.wallet_address ?? '';
  await fund(h, chain, address, 'native', '5');
  await fund(h, chain, address, 'USDC', usdc);
  return address;
}

/** The balance of a house account of the marketplace, in units. */
export async function booked(h: Harness, purpose: string, asset = 'USDC'): Promise<bigint> {
  const row = await h.db
    .selectFrom('ledger.accounts')
    .select(({ fn }) => fn.sum<bigint | null>('posted').as('posted'))
    .where('owner', '=', 'house')
    .where('purpose', '=', `marketplace-${purpose}`)
    .where('asset', '=', asset)
    .executeTakeFirst();
  return row?.posted ?? 0n;
}

/** The operator's actions on payments. */
export async function paymentDesk(h: Harness) {
  const as = await h.operator();
  const at = (action: string, payment_id: number, body: object) =>
    h.call(`POST /marketplace/payments/{payment_id}/${action}`, {
      as,
      params: { payment_id },
      body,
    });
  const list = async (show: 'owed' | 'lost'): Promise<Body[]> => {
    const query = { limit: 200, show };
    const [status, body] = await h.call('GET /marketplace/payments', { as, query });
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body.payments;
  };
  const rows = () => h.db.selectFrom('marketplace_payments').selectAll();
  return {
    assign: (payment_id: number, order_id: string) => at('assign', payment_id, { order_id }),
    markRefunded: (payment_id: number, note: string) => at('mark-refunded', payment_id, { note }),
    writeOff: (payment_id: number, note: string) => at('write-off', payment_id, { note }),
    refund: (payment_id: number) => at('refund', payment_id, {}),
    end: (order_id: string, body: object) =>
      h.call('POST /marketplace/orders/{order_id}/fulfilment', { as, params: { order_id }, body }),
    owed: () => list('owed'),
    lost: () => list('lost'),
    row: (payment_id: number) => rows().where('payment_id', '=', payment_id).executeTakeFirst(),
    find: (hash: string) => rows().where('tx_hash', '=', hash).executeTakeFirstOrThrow(),
    /** The audit log of a payment. */
    async audited(action: string, payment_id: number): Promise<Body[]> {
      const logged = await h.db
        .selectFrom('activity_log')
        .select('details')
        .where('action', '=', action)
        .execute();
      return logged
        .map((row) => row.details as Body)
        .filter((one) => one.payment_id === payment_id);
    },
  };
}
