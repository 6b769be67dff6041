import { expect, test } from 'vitest';
import { done, unknown } from '#kernel/effects/outcome.ts';
import { emittedEvents } from '#test/emitted-events.ts';
import { harness, type Person } from '#test/harness.ts';
import { walletOn } from '#test/wallets.ts';
import { lookAtNetwork } from './watch.ts';

const h = await harness();
const away = unknown('no answer');
const user = await h.user();
const [wallet] = await walletOn(h, user, 'sepolia');
const address = String(wallet?.wallet_address);

const read = async (id: string, as?: Person) => {
  const [status, body] = await h.call('GET /networks/{id}', { params: { id }, ...(as && { as }) });
  expect(status).toBe(200);
  return body.data;
};
const transaction = async (id: string, hash: string, as?: Person) =>
  h.call('GET /networks/{id}/transactions/{hash}', { params: { id, hash }, ...(as && { as }) });
const give = (as: Person, body: object) => h.call('POST /testnet/faucet', { as, body });

interface Listed {
  readonly network_id: string;
  readonly kind: string;
}
const listed: Listed[] = (await h.call('GET /networks'))[1].data.items;
const others = listed.filter(({ kind }) => kind !== 'evm').map(({ network_id }) => network_id);

test('all five networks are listed with head, fees, contracts and tokens', async () => {
  const [status, { data }] = await h.call('GET /networks');
  expect(status).toBe(200);
  expect(data.items).toHaveLength(5);
  expect(others).toHaveLength(2);
  for (const network of data.items) {
    expect(network).toMatchObject({ status: 'UP', is_testnet: true });
    expect(network.head.number).toBeGreaterThanOrEqual(0);
    expect(network.tokens.map(({ symbol }: { symbol: string }) => symbol)).toContain('USDC');
    expect(Number(network.fees.normal.transfer_cost)).toBeGreaterThanOrEqual(0);
  }
});

test('an unknown network is 404', async () => {
  for (const id of ['mars', 'SEPOLIA', 'evm']) {
    const [status, body] = await h.call('GET /networks/{id}', { params: { id } });
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  }
});

test('a chain without a market of tips tells its gas price alone', async () => {
  const { fees } = await read('neon');
  expect(fees.normal).not.toHaveProperty('max_fee_per_gas');
  expect((await read('sepolia')).fees.normal).toHaveProperty('max_fee_per_gas');
});

test('a gift is in a block, decoded, and the address has it', async () => {
  const [status, { data }] = await give(user, { network_id: 'sepolia', asset: 'USDC' });
  expect(status).toBe(201);
  expect(data).toMatchObject({ network_id: 'sepolia', asset: 'USDC', status: 'SENT', address });
  const [, found] = await transaction('sepolia', data.tx_hash, user);
  expect(found.data).toMatchObject({
    status: 'FINAL',
    hash: data.tx_hash,
    own: null,
    moves: [{ asset: 'USDC', from: null, to: address, amount: '100' }],
    what: 'Mints 100 USDC',
  });
  const [, seen] = await h.call('GET /networks/{id}/addresses/{address}', {
    params: { id: 'sepolia', address },
  });
  expect(seen.data).toMatchObject({ is_contract: false, nonce: 0 });
  expect(seen.data.balances).toContainEqual({ asset: 'USDC', amount: '100' });
  const [, list] = await h.call('GET /testnet/faucet', { as: user });
  expect(list.data.items).toMatchObject([{ tx_hash: data.tx_hash, amount: '100' }]);
});

test('a hash of no transaction is UNKNOWN, and a text that is no hash is refused', async () => {
  for (const { network_id, kind } of listed) {
    const hash = `${kind === 'evm' ? '0x' : ''}${'ab'.repeat(32)}`;
    const [status, { data }] = await transaction(network_id, hash);
    expect([network_id, status, data?.status]).toEqual([network_id, 200, 'UNKNOWN']);
    const [refused, body] = await transaction(network_id, 'not-a-hash');
    expect([refused, body.error.code]).toEqual([400, 'INVALID_TX_HASH']);
  }
});

test('an address of another form is refused by name', async () => {
  for (const { network_id: id } of listed) {
    const [status, { error }] = await h.call('GET /networks/{id}/addresses/{address}', {
      params: { id, address: '0x12' },
    });
    expect([status, error.code, error.details[0].field]).toEqual([
      ...[400, 'VALIDATION_ERROR', 'address'],
    ]);
  }
});

test('the faucet gives three times a day of each asset, and no more to twenty at once', async () => {
  const one = await h.user();
  await walletOn(h, one, 'amoy');
  const body = { network_id: 'amoy', asset: 'native' };
  const answers = await Promise.all(Array.from({ length: 20 }, () => give(one, body)));
  const codes = answers.map(([status, { error }]) => error?.code ?? status);
  expect(codes.filter((code) => code === 201)).toHaveLength(3);
  expect(new Set(codes)).toEqual(new Set([201, 'LIMIT_EXCEEDED']));
  const refused = answers.find(([status]) => status === 429);
  expect(refused?.[1].error.details).toMatchObject({ limit: 3, resets_at: expect.any(String) });
  expect((await give(one, { ...body, asset: 'IDRT' }))[0]).toBe(201);
});

test('nothing is given to an address of another user, to none, or where no wallets are', async () => {
  const other = await h.user();
  const refusals = [
    [{ network_id: 'sepolia', asset: 'USDC', address }, 404],
    [{ network_id: 'sepolia', asset: 'USDC' }, 404],
    [{ network_id: others[0], asset: 'native' }, 404],
    [{ network_id: 'mars', asset: 'native' }, 404],
    [{ network_id: 'sepolia', asset: 'BTC' }, 400],
  ] as const;
  for (const [body, status] of refusals) expect((await give(other, body))[0]).toBe(status);
  expect((await h.call('GET /testnet/faucet', { as: other }))[1].data.items).toEqual([]);
});

test('of several addresses one has to be named', async () => {
  const one = await h.user();
  await walletOn(h, one, 'neon');
  const [second] = await walletOn(h, one, 'neon');
  const [status, { error }] = await give(one, { network_id: 'neon', asset: 'native' });
  expect([status, error.details[0].field]).toEqual([400, 'address']);
  const named = { network_id: 'neon', asset: 'native', address: second?.wallet_address };
  expect((await give(one, named))[0]).toBe(201);
});

test('the operator hears once that a network is down, and once that it is up', async () => {
  const head = { height: 7, hash: `0x${'5f'.repeat(32)}`, at: h.clock.now() };
  for (const answer of [done(head), away, away, away, done(head), done(head)])
    await lookAtNetwork(h.kernel, { id: 'far', newest: async () => answer });
  const types = (await emittedEvents(h, 'network', 'far')).map(({ type }) => type);
  expect(types).toEqual(['network.down', 'network.up']);
});
