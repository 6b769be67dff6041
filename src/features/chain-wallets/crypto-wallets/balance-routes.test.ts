import {
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  toHex,
} from 'viem';
import { expect, test } from 'vitest';
import { testUSDC } from '#chains/evm/contracts/contracts.generated.ts';
import { mintTokenCall } from '#chains/evm/contracts/port.ts';
import { harness, type Person } from '#test/harness.ts';
import { fund, walletOn } from '#test/wallets.ts';

// Nobody listens there: a chain that is down.
const h = await harness({ config: { EVM_NEON_RPC_URL: 'http://127.0.0.1:9' } });
const { usdc, idr_token } = h.app.evm.chains.amoy.contracts;
/** Nothing of it is held. */
const free = (available: string) => ({ held: '0', available });
const balance = (as: Person, wallet_id: number) =>
  h.call('GET /wallets/{wallet_id}/balance', { as, params: { wallet_id } });

test('a wallet shows what its addresses hold on each chain, and what that is worth', async () => {
  const as = await h.user();
  const [sepolia, amoy] = await walletOn(h, as, 'sepolia', 'amoy');
  await fund(h, 'sepolia', sepolia?.wallet_address ?? '', 'native', '0.5');
  await fund(h, 'amoy', amoy?.wallet_address ?? '', 'USDC', '12.345678');
  await fund(h, 'amoy', amoy?.wallet_address ?? '', 'IDRT', '31751.00');
  const bw_id = amoy?.bw_id ?? 0;
  const [status, { data }] = await balance(as, bw_id);
  expect(status).toBe(200);
  expect(data).toEqual({
    bw_id,
    wallet_name: 'Test wallet',
    // 0.5 ETH at 2,500, 12.345678 USDC, and two dollars in rupiah.
    total_value_usd: 1264.35,
    total_addresses: 2,
    supported_chains: ['sepolia', 'amoy'],
    chains: {
      sepolia: {
        chain_id: 'sepolia',
        wallet_address: sepolia?.wallet_address,
        native_balance: '0.5',
        ...free('0.5'),
        native_symbol: 'ETH',
        tokens: [
          { symbol: 'USDC', balance: '0', ...free('0'), contract_address: usdc, value_usd: 0 },
        ],
        total_usd: 1250,
      },
      amoy: {
        chain_id: 'amoy',
        wallet_address: amoy?.wallet_address,
        native_balance: '0',
        ...free('0'),
        native_symbol: 'POL',
        tokens: [
          {
            symbol: 'USDC',
            balance: '12.345678',
            ...free('12.345678'),
            contract_address: usdc,
            value_usd: 12.35,
          },
          {
            symbol: 'IDRT',
            balance: '31751',
            ...free('31751'),
            contract_address: idr_token,
            value_usd: 2,
          },
        ],
        total_usd: 14.35,
      },
    },
    summary: {
      total_chains: 2,
      total_addresses: 2,
      last_updated: expect.stringMatching(/Z$/),
      unavailable_chains: [],
    },
  });
  const params = { user_id: as.user_id };
  const [, list] = await h.call('GET /manual/wallets/crypto/{user_id}', { as, params });
  expect(list.data.wallets[0]).toMatchObject({ total_value_usd: 1264.35, status: 'active' });
});

test('a chain that is down costs its own part of the answer only', async () => {
  const as = await h.user();
  const [amoy, neon] = await walletOn(h, as, 'amoy', 'neon');
  await fund(h, 'amoy', amoy?.wallet_address ?? '', 'USDC', '7');
  const [status, { data }] = await balance(as, neon?.bw_id ?? 0);
  expect(status).toBe(200);
  expect(data).toMatchObject({
    total_value_usd: 7,
    chains: {
      amoy: { total_usd: 7 },
      neon: {
        native_balance: null,
        held: null,
        available: null,
        tokens: [],
        total_usd: null,
        error: { code: 'CHAIN_UNAVAILABLE' },
      },
    },
    summary: { unavailable_chains: ['neon'] },
  });
});

test('a price that nobody tells is not known, and what has none is worth nothing', async () => {
  const as = await h.user();
  const [address] = await walletOn(h, as, 'amoy');
  await fund(h, 'amoy', address?.wallet_address ?? '', 'USDC', '3');
  await h.advance(3600);
  await h.sandbox('POST', '/faults', { provider: 'fx', kind: 'error', times: 20 });
  const [, { data }] = await balance(as, address?.bw_id ?? 0);
  await h.sandbox('DELETE', '/faults');
  expect(data).toMatchObject({
    total_value_usd: null,
    chains: { amoy: { native_balance: '0', total_usd: null } },
  });
  expect(data.chains.amoy.tokens[0]).toMatchObject({ balance: '3', value_usd: null });
});

/** A contract of a stranger's that says of itself what ours says, with units for that address. */
async function forge(holder: `0x${string}`, units: bigint): Promise<`0x${string}`> {
  const { sender } = h.app.evm.chains.amoy;
  const signer = h.app.evm.keys.hot;
  let step = 0;
  const run = (call: { to?: `0x${string}`; data: Hex }) => {
    step += 1;
    return sender.execute({ signer, ...call, reference: `forge:${step}`, purpose: 'test' });
  };
  const { abi, bytecode } = testUSDC;
  const made = await run({ data: encodeDeployData({ abi, bytecode, args: [signer.address] }) });
  const to = getContractAddress({ from: signer.address, nonce: BigInt(made.nonce) });
  const args = [keccak256(toHex('MINTER_ROLE')), signer.address] as const;
  await run({ to, data: encodeFunctionData({ abi, functionName: 'grantRole', args }) });
  await run(mintTokenCall(to, holder, units));
  return to;
}

test('a token that only calls itself USDC is shown, and worth nothing', async () => {
  const as = await h.user();
  const [address] = await walletOn(h, as, 'amoy');
  const forged = await forge(address?.wallet_address as `0x${string}`, 1_000_000_000_000n);
  const body = { chain_id: 'amoy', asset_issuer: forged };
  expect((await h.call('POST /tokens/import', { as, body }))[0]).toBe(200);
  const [, { data }] = await balance(as, address?.bw_id ?? 0);
  expect(data).toMatchObject({
    total_value_usd: 0,
    chains: {
      amoy: {
        tokens: [
          { symbol: 'USDC', contract_address: usdc, balance: '0', value_usd: 0 },
          { symbol: 'USDC', contract_address: forged, balance: '1000000', value_usd: 0 },
        ],
      },
    },
  });
});

test('an imported token that answers no longer hides nothing of what else is there', async () => {
  const as = await h.user();
  const [address] = await walletOn(h, as, 'amoy');
  await fund(h, 'amoy', address?.wallet_address ?? '', 'USDC', '3');
  const body = { chain_id: 'amoy', asset_issuer: idr_token };
  expect((await h.call('POST /tokens/import', { as, body }))[0]).toBe(200);
  const gone = '0x52908400098527886E0F7030069857D2E4169EE7';
  const where = { contract_address: gone, symbol: 'GONE' };
  const bw_id = address?.bw_id ?? 0;
  const ours = h.db.selectFrom('wallet_addresses').select('address_id').where('bw_id', '=', bw_id);
  await h.db.updateTable('wallet_assets').set(where).where('address_id', 'in', ours).execute();
  const [, { data }] = await balance(as, bw_id);
  expect(data).toMatchObject({ total_value_usd: 3, chains: { amoy: { total_usd: 3 } } });
  expect(data.chains.amoy.tokens).toContainEqual({
    symbol: 'GONE',
    contract_address: gone,
    balance: null,
    value_usd: 0,
    held: null,
    available: null,
  });
});

test('an empty wallet is worth nothing, and needs no chain to say so', async () => {
  const as = await h.user();
  const body = { user_id: as.user_id, wallet_name: 'Empty', chain_id: 'neon' };
  const [, { data: wallet }] = await h.call('POST /manual/wallets/crypto', { as, body });
  expect((await balance(as, wallet.bw_id))[1].data).toMatchObject({
    total_value_usd: 0,
    total_addresses: 0,
    chains: {},
  });
});

test('a balance is for the owner and the admins of the client', async () => {
  const owner = await h.user();
  const [address] = await walletOn(h, owner, 'amoy');
  const admin = await h.user({ role: 'admin', client_id: owner.client_id });
  expect((await balance(admin, address?.bw_id ?? 0))[0]).toBe(200);
  for (const as of [await h.user(), await h.user({ role: 'admin' })])
    expect(await balance(as, address?.bw_id ?? 0)).toMatchObject([
      404,
      { success: false, error: { code: 'WALLET_NOT_FOUND' } },
    ]);
  const [status] = await h.call('GET /wallets/{wallet_id}/balance', {
    as: owner,
    params: { wallet_id: 'mine' },
  });
  expect(status).toBe(400);
});
