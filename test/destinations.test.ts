import {
  Address,
  BaseAddress,
  Credential,
  Ed25519KeyHash,
} from '@emurgo/cardano-serialization-lib-nodejs';
import { expect, test } from 'vitest';
import type { Destinations } from '#chains/destinations.ts';
import { destinationsOf } from '#features/ramps/exchange-wallets/destinations.ts';
import type { RouteId } from '#kernel/http/declare/route.ts';
import { GOOD } from './cards.ts';
import { freshAddress } from './crosschain.ts';
import { harness } from './harness.ts';
import { RECIPIENT, shopper } from './marketplace.ts';
import { ramps } from './ramps.ts';
import { fund, walletOn } from './wallets.ts';

/** Every way by which money, coins or tokens go to an address that the caller names. */
const h = await harness({ mock: false });
const as = await h.user();
const { user_id } = as;
await ramps(h).fund(as, 'USD', 1_000_000n);
await ramps(h).on(as, { fiat_currency: 'USD', fiat_amount: 100 });
const { evm, cardano, xrpl } = h.app.providers;
const [{ wallet_address: mine } = { wallet_address: '' }] = await walletOn(h, as, 'amoy');
await fund(h, 'amoy', mine, 'native', '5');
await fund(h, 'amoy', mine, 'USDC', '5');
const [product] = await shopper(h, as).search('batik scarf');
const { usdc, marketplace } = evm.chains.amoy.contracts;

const params = { user_id };
const [, { data: owned }] = await h.call('GET /wallets/fiat/{user_id}', { as, params });
const dollars = owned.wallets.find(({ currency }: { currency: string }) => currency === 'USD');

interface Way {
  /** The fields checked against the list; several where another endpoint reads the field. */
  readonly on: Destinations;
  body(address: string): object;
  /** Entries of the list that this way may name. */
  readonly except?: (why: string) => boolean;
}
const sent = { wallet_address: mine, chain_id: 'amoy', amount: '1' };
const coins = { ...sent, token_symbol: 'POL', token_contract: 'native' };
const bridged = {
  user_id,
  amount: '5',
  from_chain: 'amoy',
  to_chain: 'neon',
  token: 'USDC',
};
const minted = { user_id, fiat_amount: '100', currency_from: 'USD' };
const exchange = (network: 'ERC20' | 'BEP20' | 'POLYGON' | 'TRC20' | 'SOLANA'): Way => ({
  on: destinationsOf(network, evm),
  body: (wallet_address) => ({ network, wallet_address }),
});

const recipient = (kind: string, on: Destinations, more: object = {}): Way => ({
  on,
  body: (address) => ({ name: 'Exchange', kind, details: { ...more, address } }),
});

/** By endpoint and field. */
const WAYS: Readonly<Record<string, readonly Way[]>> = {
  'POST /onchain/execute to_address': [
    { on: evm, body: (to_address) => ({ ...coins, to_address }) },
    {
      on: evm,
      body: (to_address) => ({ ...sent, token_symbol: 'USDC', token_contract: usdc, to_address }),
    },
  ],
  'POST /crosschain/initiate recipient_address': [
    { on: evm, body: (recipient_address) => ({ ...bridged, recipient_address }) },
  ],
  'POST /crosschain/initiate return_address': [
    {
      on: evm,
      body: (return_address) => ({ ...bridged, recipient_address: freshAddress(), return_address }),
    },
  ],
  'POST /bridge/quotes recipient_address': [
    {
      on: evm,
      body: (recipient_address) => ({
        from_chain: 'sepolia',
        to_chain: 'amoy',
        amount: '10',
        recipient_address,
      }),
    },
    ...Object.entries({ cardano, xrpl }).map(([to_chain, on]) => ({
      on,
      body: (recipient_address: string) => ({
        from_chain: 'sepolia',
        to_chain,
        amount: '10',
        recipient_address,
      }),
    })),
  ],
  'POST /crosschain/test-mint address': [
    { on: evm, body: (address) => ({ chain: 'amoy', address, amount: '1' }) },
  ],
  'POST /tokens/import asset_issuer': [
    {
      on: evm,
      body: (asset_issuer) => ({ chain_id: 'amoy', asset_issuer }),
      // A token is a contract.
      except: (why) => why === 'CONTRACT',
    },
  ],
  'POST /recipients details.address': [
    recipient('evm', evm, { network: 'amoy' }),
    recipient('xrpl', xrpl),
    recipient('cardano', cardano),
  ],
  'POST /marketplace/orders wallet_address': [
    { on: evm, body: (wallet_address) => ({ product, recipient: RECIPIENT, wallet_address }) },
  ],
  'POST /idrtoken/onramp/initiate walletAddress': [
    {
      on: evm,
      body: (walletAddress) => ({ amount: 50_000, paymentMethod: 'QRIS', walletAddress }),
    },
  ],
  'POST /exchange/crypto-wallet/save wallet_address': (
    ['ERC20', 'BEP20', 'POLYGON', 'TRC20', 'SOLANA'] as const
  ).map(exchange),
  'POST /xrpl/offramp/init destination_address': [
    { on: xrpl, body: (destination_address) => ({ amount: 1, destination_address }) },
  ],
  'POST /cardano/onramp-wallet-mint-user user_wallet_address': [
    {
      on: cardano,
      body: (user_wallet_address) => ({
        ...minted,
        wallet_from_id: dollars.wallet_id,
        user_wallet_address,
      }),
    },
  ],
  'POST /cardano/onramp-bank-mint-user user_wallet_address': [
    {
      on: cardano,
      body: (user_wallet_address) => ({ ...minted, cardNumber: GOOD, user_wallet_address }),
    },
  ],
};

/** Fields with an address to which nothing is sent, and why. */
const OTHERS: Readonly<Record<string, string>> = {
  'POST /batches items.recipient.details.address': 'is refused: a batch pays no address',
  'PUT /batches/{batch_id}/items items.recipient.details.address': 'the same',
  'POST /bridge/transfers source.address': 'pays, from a wallet that we manage',
  'POST /onchain/execute wallet_address': 'pays',
  'PATCH /recipients/{recipient_id} details.address': 'is read as that of a new recipient',
  'POST /wallets/fiat/{wallet_id}/holds to': 'is a wallet of the client',
  'POST /wallets/fiat/requests to': 'is who is to pay, and gets nothing',
  'POST /wallets/fiat/transfers to': 'is a person of the client',
  'POST /wallets/fiat/transfers split.to': 'is a person of the client',
  'POST /onchain/log to_address': 'was paid already',
  'PUT /fx/spreads rows.to': 'is a currency',
  'POST /idrtoken/offramp/initiate walletAddress': 'has burnt',
  'POST /mcp/create-order wallet_address': 'pays, from a wallet that we manage',
  'POST /mcp/execute-order wallet_address': 'pays',
  'POST /mcp/v2/create-order wallet_address': 'pays',
  'POST /mcp/v2/execute-order wallet_address': 'pays',
  'POST /testnet/faucet address': 'is one’s own, and managed here',
  'POST /extauth/auth/link-wallet wallet_address': 'logs in',
  'POST /wallet-proofs/challenges wallet_address': 'is proven',
  'POST /webhook-endpoints/{endpoint_id}/replay to': 'is a moment',
  'POST /marketplace/orders recipient.address': 'is a street',
  'POST /mcp/create-order recipient.address': 'is a street',
  'POST /mcp/chain-selector recipient.address': 'is a street',
  'POST /mcp/v2/create-order recipient.address': 'is a street',
};

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
}
const fieldsOf = (shape: Shape | undefined, at = ''): string[] => [
  ...Object.entries(shape?.properties ?? {}).flatMap(([name, inner]) => [
    `${at}${name}`,
    ...fieldsOf(inner, `${at}${name}.`),
  ]),
  ...(shape?.anyOf ?? []).flatMap((inner) => fieldsOf(inner, at)),
  ...(shape?.items ? fieldsOf(shape.items, at) : []),
];
/** Names of fields with addresses of chains. */
const ADDRESS =
  /(?:address|issuer|payee|beneficiary|target_wallet|iban)$|(?:^|\.)(?:to|destination)$/i;

test('every field with an address is checked against the list, or never a destination', () => {
  const named = h.app.features.routes.flatMap(({ id, endpoint }) =>
    fieldsOf(endpoint.body as Shape | undefined)
      .filter((field) => ADDRESS.test(field))
      .map((field) => `${id} ${field}`),
  );
  expect([...new Set(named)].sort()).toEqual([...Object.keys(WAYS), ...Object.keys(OTHERS)].sort());
});

const cases = Object.entries(WAYS).flatMap(([name, ways]) =>
  ways.map((way, i) => [`${name} (${i + 1})`, name, way] as const),
);

/** The rows that any of these ways would leave behind. */
async function everything() {
  const { rows } = await h.kernel.pool.query(
    `select (select jsonb_agg(a order by account_id) from ledger.accounts a where seq > 0) as books,
       (select count(*) from onchain_sends) as sends, (select count(*) from crosschain_transfers) as moves,
       (select count(*) from exchange_wallets) as saved, (select count(*) from idr_mints) as mints,
       (select count(*) from marketplace_orders) as orders, (select count(*) from xrpl_transactions) as xrpl,
       (select count(*) from cardano_orders) as cardano, (select count(*) from chain_transactions) as journal`,
  );
  return rows[0];
}

test.each(cases)(
  '%s refuses every address of the list, and moves nothing',
  async (_, name, way) => {
    const [verb, path, field = ''] = name.split(' ');
    const listed = (await way.on.forbidden()).filter(({ why }) => !way.except?.(why));
    expect(listed.length).toBeGreaterThan(1);
    const isUsdc = (way.body('') as { token_symbol?: string }).token_symbol === 'USDC';
    // An exact transfer of USDC pays an order.
    const tried = listed.filter(({ address }) => !isUsdc || address !== marketplace);
    const before = await everything();
    for (const { address, why } of tried) {
      const answer = await h.call(`${verb} ${path}` as RouteId, { as, body: way.body(address) });
      expect([address, why, answer[0], JSON.stringify(answer[1])]).toEqual([
        ...[address, why, 400, expect.stringContaining(field)],
      ]);
    }
    expect(await everything()).toEqual(before);
  },
);

test('nothing is sent to the wallet that pays', async () => {
  const body = { ...coins, to_address: mine.toLowerCase() };
  expect(await h.call('POST /onchain/execute', { as, body })).toMatchObject([
    ...[400, { error: { details: [{ field: 'to_address', message: 'is the wallet that pays' }] } }],
  ]);
});

test('a transfer of USDC to the contract of orders is sent', async () => {
  const body = { ...sent, token_symbol: 'USDC', token_contract: usdc, to_address: marketplace };
  expect((await h.call('POST /onchain/execute', { as, body }))[0]).toBe(201);
});

test('an address is recognised in every letter case', async () => {
  const { treasury } = evm.keys;
  const to_address = treasury.address.toLowerCase();
  expect((await h.call('POST /onchain/execute', { as, body: { ...coins, to_address } }))[0]).toBe(
    400,
  );
});

test('the treasury’s key is the platform’s own under every stake', async () => {
  const { treasury } = await cardano.identity();
  const payment = Address.from_bech32(treasury).payment_cred();
  if (!payment) throw new Error('The treasury has no key');
  const stake = Credential.from_keyhash(Ed25519KeyHash.from_hex('ab'.repeat(28)));
  const joined = BaseAddress.new(0, payment, stake).to_address().to_bech32();
  expect(await cardano.forbids(joined)).toBe('PLATFORM');
});
