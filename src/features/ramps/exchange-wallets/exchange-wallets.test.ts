import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';
import { addressOn, NETWORK_CODES, NETWORKS } from './networks.ts';

const h = await harness();

const EVM = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';
const TRON = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const SOLANA = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';

const save = (as: Person, network: string, wallet_address: string, more: object = {}) =>
  h.call('POST /exchange/crypto-wallet/save', { as, body: { network, wallet_address, ...more } });
const list = async (as: Person) => (await h.call('GET /exchange/crypto-wallet/list', { as }))[1];
const remove = (as: Person, bw_id: unknown) =>
  h.call('POST /exchange/crypto-wallet/delete', { as, body: { bw_id } });

test('a wallet is created once for a network, and updated from then on', async () => {
  const as = await h.user();
  const [status, body] = await save(as, 'ERC20', EVM);
  expect([status, body]).toEqual([
    201,
    {
      success: true,
      message: 'Wallet created',
      data: {
        bw_id: expect.any(Number),
        wallet_address: EVM,
        network: 'Ethereum (ERC-20)',
        chain_id: 'erc20',
        is_primary: true,
        action: 'created',
      },
    },
  ]);
  const other = EVM.toLowerCase().replace('742d', '742e');
  const [again, updated] = await save(as, 'ERC20', other);
  expect([again, updated.data.action, updated.data.bw_id]).toEqual([
    200,
    'updated',
    body.data.bw_id,
  ]);
  expect(updated.data.wallet_address.toLowerCase()).toBe(other);
  expect((await list(as)).data.total).toBe(1);
});

test('the list has the primary wallet first, and the others by age', async () => {
  const as = await h.user();
  expect(await list(as)).toMatchObject({
    data: { total: 0, wallets: [], primary_wallet: null },
    timestamp: expect.any(String),
  });
  await save(as, 'ERC20', EVM);
  await save(as, 'TRC20', TRON, { set_as_primary: false });
  await save(as, 'SOLANA', SOLANA);
  const { data } = await list(as);
  expect(data.wallets.map(({ chain_id }: { chain_id: string }) => chain_id)).toEqual([
    'solana',
    'erc20',
    'trc20',
  ]);
  expect(data.primary_wallet).toMatchObject({ chain_id: 'solana', status: 'ACTIVE' });
});

test('a saved secondary wallet leaves the primary one as it is', async () => {
  const as = await h.user();
  await save(as, 'POLYGON', EVM, { set_as_primary: false });
  const [missing, none] = await h.call('GET /exchange/crypto-wallet/primary', { as });
  expect([missing, none.error_code]).toEqual([404, 'NO_PRIMARY_WALLET']);
  await save(as, 'POLYGON', EVM);
  await save(as, 'POLYGON', EVM.toLowerCase(), { set_as_primary: false });
  const [status, body] = await h.call('GET /exchange/crypto-wallet/primary', { as });
  expect([status, body.data]).toEqual([
    200,
    { bw_id: expect.any(Number), wallet_address: EVM, network: 'Polygon', chain_id: 'polygon' },
  ]);
});

test('no other wallet becomes primary after a deletion', async () => {
  const [as, stranger] = [await h.user(), await h.user()];
  await save(as, 'TRC20', TRON);
  const [, { data }] = await save(as, 'ERC20', EVM);
  expect(await remove(stranger, data.bw_id)).toMatchObject([
    404,
    { success: false, error_code: 'WALLET_NOT_FOUND', message: 'Wallet not found' },
  ]);
  expect(await remove(as, data.bw_id)).toMatchObject([200, { success: true }]);
  expect((await remove(as, data.bw_id))[0]).toBe(404);
  expect((await list(as)).data).toMatchObject({ total: 1, primary_wallet: null });
  const [status, again] = await save(as, 'ERC20', EVM);
  expect([status, again.data.bw_id === data.bw_id]).toEqual([201, false]);
});

test.each([undefined, 0, -1, 'x', 1.5, null])('%j is no id of a wallet', async (bw_id) => {
  expect(await remove(await h.user(), bw_id)).toMatchObject([
    400,
    { error_code: 'INVALID_WALLET_ID' },
  ]);
});

test('twenty concurrent saves leave one wallet a network and one primary', async () => {
  const as = await h.user();
  const wishes = Array.from({ length: 20 }, (_, i) =>
    i % 2 === 0 ? save(as, 'ERC20', EVM) : save(as, 'TRC20', TRON),
  );
  const answers = await Promise.all(wishes);
  expect(answers.map(([status]) => status).sort()).toEqual([...Array(18).fill(200), 201, 201]);
  const { wallets } = (await list(as)).data;
  expect(wallets).toHaveLength(2);
  expect(wallets.filter((w: { is_primary: boolean }) => w.is_primary)).toHaveLength(1);
});

const REFUSED: readonly (readonly [string, string, string])[] = [
  ['BEP20', EVM.slice(0, -1), 'too short'],
  ['POLYGON', EVM.slice(2), 'no 0x'],
  ['ERC20', `0x${'0'.repeat(40)}`, 'belongs to no one'],
  ['ERC20', TRON, 'of another network'],
  ['TRC20', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'of Bitcoin'],
  ['TRC20', EVM, 'of another network'],
  ['SOLANA', SOLANA.slice(13), 'too short'],
  ['SOLANA', `${SOLANA}11`, 'too long'],
  ['SOLANA', SOLANA.replace('7', '0'), 'a letter that base58 lacks'],
  ['SOLANA', '1'.repeat(32), 'belongs to no one'],
  ['ERC20', '', 'nothing'],
  ['', EVM, 'no network'],
  ['BITCOIN', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa', 'a network that is not served'],
];

test.each(REFUSED)('%s %s is refused: %s', async (network, address) => {
  const [status, body] = await save(await h.user(), network, address);
  expect([status, body]).toMatchObject([
    400,
    {
      success: false,
      error_code: 'INVALID_WALLET_FORMAT',
      message: expect.any(String),
      details: { example: expect.any(String), supported: [...NETWORK_CODES] },
      timestamp: expect.any(String),
    },
  ]);
});

test('a wallet without address or network has an invalid form', async () => {
  const as = await h.user();
  for (const body of [{}, { network: 'TRC20' }, { wallet_address: EVM, network: null }])
    expect(await h.call('POST /exchange/crypto-wallet/save', { as, body })).toMatchObject([
      400,
      {
        error_code: 'INVALID_WALLET_FORMAT',
        message: expect.stringMatching(/^Missing required fields: /),
        details: { example: expect.any(String), supported: [...NETWORK_CODES] },
      },
    ]);
  const odd = { wallet_address: EVM, network: 'ERC20', set_as_primary: 'yes' };
  expect(await h.call('POST /exchange/crypto-wallet/save', { as, body: odd })).toMatchObject([
    400,
    { error_code: 'VALIDATION_ERROR', message: 'set_as_primary must be boolean' },
  ]);
});

test('mock mode accepts the form of an address, live mode valid addresses only', async () => {
  const mistyped = [
    ['ERC20', EVM.replace('C0532', 'c0532')],
    ['TRC20', `${TRON.slice(0, -1)}u`],
    ['SOLANA', SOLANA.slice(1)],
  ] as const;
  const as = await h.user();
  for (const [code, text] of mistyped) {
    expect(await save(as, code, text)).toMatchObject([201, { data: { wallet_address: text } }]);
    expect(addressOn(NETWORKS[code], text, { MOCK_MODE: false })).toBeUndefined();
  }
});

test('addresses of every network are accepted, lower-case ones get their checksum', async () => {
  const as = await h.user();
  const addresses = { ERC20: EVM, TRC20: TRON, BEP20: EVM, POLYGON: EVM, SOLANA };
  for (const code of NETWORK_CODES) expect((await save(as, code, addresses[code]))[0]).toBe(201);
  const [, body] = await save(as, 'ERC20', EVM.toLowerCase());
  expect(body.data.wallet_address).toBe(EVM);
});

test('each network has an example that is accepted', async () => {
  const [status, body] = await h.call('GET /exchange/crypto-wallet/networks', {
    as: await h.user(),
  });
  expect([status, body.data.total]).toEqual([200, 5]);
  expect(body.data.networks[1]).toEqual({
    code: 'TRC20',
    name: 'Tron (TRC-20)',
    example: TRON,
    exchange_code: 'trc20',
  });
  for (const code of NETWORK_CODES)
    expect(NETWORKS[code].read(NETWORKS[code].example)).toBe(NETWORKS[code].example);
});

test('a missing field is named, and saving needs a log-in', async () => {
  const as = await h.user();
  const [status, body] = await h.call('POST /exchange/crypto-wallet/save', { as, body: {} });
  expect([status, body.error_code]).toEqual([400, 'INVALID_WALLET_FORMAT']);
  const [anonymous] = await h.call('GET /exchange/crypto-wallet/list');
  expect(anonymous).toBe(401);
});

test('the audit log names who changed a wallet', async () => {
  const as = await h.user();
  const [, { data }] = await save(as, 'ERC20', EVM);
  await remove(as, data.bw_id);
  const noted = await h.db
    .selectFrom('activity_log')
    .select(['action', 'subject_user_id'])
    .where('actor_user_id', '=', as.user_id)
    .orderBy('id')
    .execute();
  expect(noted).toEqual([
    { action: 'EXCHANGE_WALLET_SAVED', subject_user_id: as.user_id },
    { action: 'EXCHANGE_WALLET_DELETED', subject_user_id: as.user_id },
  ]);
});
