import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { HOST_PAYEES } from '#test/bank-host.ts';
import { type Body, harness, type Person } from '#test/harness.ts';

const h = await harness();

const codeOf = ([status, { error }]: [number, Body]) => [status, error?.code];
let serial = 0;
const account = () => {
  serial += 1;
  return `70010${String(serial).padStart(5, '0')}`;
};
const rupiah = (fields: object = {}) => ({
  name: 'Siti Rahma',
  kind: 'bank',
  country: 'ID',
  details: { bank_code: 'BCA', account_number: account() },
  ...fields,
});
const add = (as: Person, body: object) => h.call('POST /recipients', { as, body });
const one = (
  what: 'GET' | 'PATCH' | 'DELETE',
  as: Person,
  recipient_id: string,
  body?: object,
  headers = {},
) => h.call(`${what} /recipients/{recipient_id}`, { as, params: { recipient_id }, body, headers });
const verify = (as: Person, recipient_id: string) =>
  h.call('POST /recipients/{recipient_id}/verify', { as, params: { recipient_id } });
const holder = (account_number: string, name: string | null) =>
  h.sandbox('POST', '/bank-host/holders', { account: account_number, name });
const requirements = (query: Record<string, string>) =>
  h.call('GET /recipients/requirements', { query });

test('a recipient has its account masked, and is found again by its fingerprint', async () => {
  const user = await h.user();
  const body = rupiah({ reference: 'supplier-1', metadata: { of: 'shop' }, email: 'a@b.example' });
  const [status, { data }] = await add(user, body);
  const { account_number } = body.details;
  expect([status, data]).toEqual([
    201,
    {
      recipient_id: expect.stringMatching(/^rcp_[0-9a-z]{26}$/),
      user_id: user.user_id,
      name: 'Siti Rahma',
      kind: 'bank',
      country: 'ID',
      currency: 'IDR',
      details: { bank_code: 'BCA', account_number: `****${account_number.slice(-4)}` },
      email: 'a@b.example',
      fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
      verification: {
        result: 'MATCH',
        suggested_name: null,
        checked_at: expect.any(String),
        source: 'gateway',
      },
      usable_from: data.created_at,
      last_paid_at: null,
      reference: 'supplier-1',
      metadata: { of: 'shop' },
      version: 1,
      created_at: expect.any(String),
      updated_at: data.created_at,
    },
  ]);
  expect(await one('GET', user, data.recipient_id)).toMatchObject([200, { data }]);
  const again = { ...body, reference: undefined, name: 'Another name' };
  const spaced = { bank_code: 'bca', account_number: account_number.replace(/(.{4})/, '$1-') };
  expect(await add(user, { ...again, details: spaced })).toMatchObject([
    409,
    { error: { code: 'DUPLICATE_RECIPIENT', details: { id: data.recipient_id } } },
  ]);
  const [, { data: theirs }] = await add(await h.user(), again);
  expect(theirs.fingerprint).toBe(data.fingerprint);
  const kept = await run(h.db, 'select * from recipients', []);
  expect(JSON.stringify(kept)).not.toContain(account_number);
  expect(h.logs.join('')).not.toContain(account_number);
});

test('of twenty additions of one account at once one is made', async () => {
  const user = await h.user();
  const body = rupiah();
  const all = await Promise.all(Array.from({ length: 20 }, () => add(user, body)));
  expect(all.filter(([status]) => status === 201)).toHaveLength(1);
  expect(all.filter(([status]) => status === 409)).toHaveLength(19);
});

test.each(Object.entries(HOST_PAYEES))('a bank account in %s is kept', async (currency, payee) => {
  const user = await h.user();
  const details = { bank_code: payee.bankCode, account_number: payee.accountNumber };
  const [status, { data }] = await add(user, {
    name: payee.accountName,
    kind: 'bank',
    currency,
    details,
  });
  expect([status, data?.verification]).toMatchObject([
    201,
    { result: 'MATCH', source: 'bank-host' },
  ]);
  const [, { data: schema }] = await requirements({ kind: 'bank', currency });
  expect(schema).toMatchObject({ type: 'object', required: ['bank_code', 'account_number'] });
});

test.each([
  ['evm', { network: 'sepolia', address: '0x52908400098527886E0F7030069857D2E4169EE7' }],
  ['xrpl', { address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe', tag: 7 }],
])('an address of kind %s is kept whole', async (kind, details) => {
  const [status, { data }] = await add(await h.user(), { name: 'Exchange', kind, details });
  expect([status, data]).toMatchObject([
    201,
    { kind, currency: 'USDC', country: null, details, verification: null },
  ]);
});

test.each([
  ['evm', { network: 'sepolia', address: '0x52908400098527886e0F7030069857D2E4169EE7' }],
  ['xrpl', { address: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYf' }],
  ['cardano', { address: `addr_test1${'q'.repeat(60)}` }],
])('a mistyped address of kind %s is refused', async (kind, details) => {
  expect(await add(await h.user(), { name: 'Exchange', kind, details })).toMatchObject([
    400,
    { error: { code: 'VALIDATION_ERROR', details: [{ field: 'details.address' }] } },
  ]);
});

test('a wallet is one of the same client, and of another it does not exist', async () => {
  const user = await h.user();
  const friend = await h.user({ client_id: user.client_id });
  const open = async (as: Person) =>
    (await h.call('POST /wallets/fiat', { as, body: { currency: 'SGD' } }))[1].data.wallet_id;
  const wallet_id = await open(friend);
  const wallet = (id: number, more = {}) =>
    add(user, { name: 'A friend', kind: 'wallet', details: { wallet_id: id }, ...more });
  expect(codeOf(await wallet(wallet_id, { currency: 'USD' }))).toEqual([400, 'CURRENCY_MISMATCH']);
  expect(await wallet(wallet_id)).toMatchObject([
    201,
    { data: { currency: 'SGD', details: { wallet_id } } },
  ]);
  expect(codeOf(await wallet(await open(await h.user())))).toEqual([404, 'WALLET_NOT_FOUND']);
});

test('the schema of the requirements is the one that validates', async () => {
  const user = await h.user();
  const [, { data: schema }] = await requirements({ kind: 'bank', country: 'ID' });
  expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(schema.properties.bank_code.oneOf).toContainEqual({
    const: 'BCA',
    title: 'Bank Central Asia',
  });
  const details = { bank_code: 'XYZ', account_number: '12', network: 'sepolia' };
  expect(await add(user, rupiah({ details }))).toMatchObject([
    400,
    {
      error: {
        code: 'VALIDATION_ERROR',
        details: expect.arrayContaining([
          { field: 'details.bank_code', message: 'is none of the list' },
          { field: 'details.account_number', message: expect.stringContaining('form') },
          { field: 'details.network', message: 'is not known' },
        ]),
      },
    },
  ]);
  expect(codeOf(await add(user, rupiah({ detail: {} })))).toEqual([400, 'UNKNOWN_FIELD']);
});

test.each([
  [{ kind: 'bank', country: 'DE' }],
  [{ kind: 'bank', country: 'ID', currency: 'USD' }],
  [{ kind: 'bank', currency: 'USDC' }],
  [{ kind: 'evm', currency: 'USD' }],
])('a rail that is not served is refused: %j', async (query) => {
  expect(codeOf(await requirements(query as Record<string, string>))).toEqual([
    400,
    'RAIL_NOT_AVAILABLE',
  ]);
});

test.each([
  ['SITI RAHMA', 'MATCH', null],
  ['Rahma, Ir. Siti', 'MATCH', null],
  ['Siti Rahmi', 'CLOSE_MATCH', 'Siti Rahmi'],
  ['Siti Dewi Rahma', 'CLOSE_MATCH', 'Siti Dewi Rahma'],
  ['Budi Santoso', 'NO_MATCH', null],
])('the name of an account of %s: %s', async (name, result, suggested_name) => {
  const body = rupiah();
  await holder(body.details.account_number, name);
  const [, { data }] = await add(await h.user(), body);
  expect(data.verification).toMatchObject({ result, suggested_name });
});

test('another account is verified and waits a day, another name only is verified', async () => {
  const user = await h.user();
  const body = rupiah();
  await holder(body.details.account_number, 'Siti Rahmawati');
  const [, { data }] = await add(user, body);
  const [, renamed] = await one('PATCH', user, data.recipient_id, { name: 'Siti Rahmawati' });
  expect(renamed.data).toMatchObject({
    verification: { result: 'MATCH' },
    usable_from: data.usable_from,
    version: 2,
  });
  const details = { bank_code: 'BNI', account_number: account() };
  expect(codeOf(await one('PATCH', user, data.recipient_id, { details, version: 1 }))).toEqual([
    409,
    'VERSION_CONFLICT',
  ]);
  const [, moved] = await one('PATCH', user, data.recipient_id, { details }, { 'if-match': '"2"' });
  const day = new Date(h.clock.now().getTime() + 86_400_000).toISOString();
  expect(moved.data.details.bank_code).toBe('BNI');
  expect(moved.data.fingerprint).not.toBe(data.fingerprint);
  expect(new Date(moved.data.usable_from).getTime()).toBeCloseTo(new Date(day).getTime(), -4);
  const other = (await add(user, rupiah()))[1].data;
  expect(codeOf(await one('PATCH', user, other.recipient_id, { details }))).toEqual([
    409,
    'DUPLICATE_RECIPIENT',
  ]);
});

test('a bank is asked again ten times a day', async () => {
  const user = await h.user();
  const [, { data }] = await add(user, rupiah());
  for (let n = 0; n < 10; n += 1) expect((await verify(user, data.recipient_id))[0]).toBe(200);
  expect(await verify(user, data.recipient_id)).toMatchObject([
    429,
    { error: { code: 'LIMIT_EXCEEDED', details: { resets_at: expect.any(String) } } },
  ]);
});

test('a recipient of another user or client does not exist', async () => {
  const user = await h.user();
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  const [, { data }] = await add(user, rupiah());
  const stranger = await h.user({ role: 'admin' });
  for (const as of [await h.user({ client_id: user.client_id }), stranger])
    for (const what of ['GET', 'PATCH', 'DELETE'] as const)
      expect((await one(what, as, data.recipient_id, what === 'PATCH' ? {} : undefined))[0]).toBe(
        404,
      );
  expect((await verify(stranger, data.recipient_id))[0]).toBe(404);
  expect((await one('GET', admin, data.recipient_id))[0]).toBe(200);
  const [, list] = await h.call('GET /recipients', { as: admin, query: { kind: 'bank' } });
  expect(list.data.items).toMatchObject([{ recipient_id: data.recipient_id }]);
});

test('a deleted recipient is hidden, and its account can be added again', async () => {
  const user = await h.user();
  const body = rupiah();
  const [, { data }] = await add(user, body);
  expect((await one('DELETE', user, data.recipient_id))[0]).toBe(200);
  expect((await one('GET', user, data.recipient_id))[0]).toBe(404);
  expect((await add(user, body))[0]).toBe(201);
  const [, list] = await h.call('GET /recipients', { as: user });
  expect(list.data.items).toHaveLength(1);
});
