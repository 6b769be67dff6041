import { describe, expect, test } from 'vitest';
import { type Body, harness, type Person } from '#test/harness.ts';
import { invoicesOf, keepPicture } from '#test/invoices.ts';

const h = await harness();
const invoices = invoicesOf(h);
const SETTINGS = {
  display_name: 'Lamp shop',
  color: '#0B6E4F',
  support_email: 'help@example.com',
  embed_origins: ['https://shop.example.com', 'https://shop.example.com:8443'],
};
const admin = async () => {
  const { client_id } = await h.client();
  return h.user({ role: 'admin', client_id });
};
const get = async (as: Person): Promise<Body> =>
  (await h.call('GET /payment-gateway/settings', { as }))[1].data;
const put = (as: Person, more: object = {}, headers = {}) =>
  h.call('PUT /payment-gateway/settings', { as, body: { ...SETTINGS, ...more }, headers });
const off = (...methods: string[]) => ({
  methods: methods.map((method) => ({ method, enabled: false })),
});
const logo = (as: Person, purpose?: string) => keepPicture(h, as, purpose);

test('a client has no settings at first, and all ways to pay are on', async () => {
  expect(await get(await admin())).toEqual({
    display_name: null,
    logo_file_id: null,
    color: null,
    support_email: null,
    embed_origins: [],
    methods: ['qris', 'va', 'ewallet', 'card', 'wallet'].map((method) => ({
      method,
      enabled: true,
    })),
    signs_returns: false,
    version: 0,
    updated_at: null,
  });
});

test('settings are replaced as a whole, with an event and a line in the audit log', async () => {
  const as = await admin();
  const logo_file_id = await logo(as);
  const [status, { data }] = await put(as, { logo_file_id, ...off('ewallet') });
  expect([status, data]).toMatchObject([
    200,
    { ...SETTINGS, color: '#0b6e4f', logo_file_id, version: 1 },
  ]);
  expect(data.methods.filter((one: Body) => !one.enabled)).toEqual([
    { method: 'ewallet', enabled: false },
  ]);
  expect(await get(as)).toEqual(data);
  await h.kernel.events.settle();
  const [, { data: events }] = await h.call('GET /events', {
    as,
    query: { type: 'gateway_settings.updated' },
  });
  expect(events.events.map((event: Body) => event.data)).toEqual([data]);
  const next = (await put(as))[1].data;
  expect(next).toMatchObject({ logo_file_id: null, version: 2 });
  expect(next.methods.every((one: Body) => one.enabled)).toBe(true);
});

test('an edit of an earlier version is refused with the one that there is', async () => {
  const as = await admin();
  expect((await put(as, { version: 3 }))[1].error).toMatchObject({
    code: 'VERSION_CONFLICT',
    details: { version: 0 },
  });
  expect((await put(as, { version: 0 }))[0]).toBe(200);
  expect((await put(as, { version: 0 }))[0]).toBe(409);
  expect((await put(as, {}, { 'if-match': '"1"' }))[1].data.version).toBe(2);
  const both = await Promise.all([put(as, { version: 2 }), put(as, { version: 2 })]);
  expect(both.map(([status]) => status).sort()).toEqual([200, 409]);
});

describe('settings are refused by name where', () => {
  test.each([
    ['color', { color: '#ffcc00' }],
    ['color', { color: 'red' }],
    ['color', { color: '#0b6e4f;}' }],
    ['support_email', { support_email: 'no address' }],
    ['embed_origins.0', { embed_origins: ['http://shop.example.com'] }],
    ['embed_origins.0', { embed_origins: ['https://shop.example.com/path'] }],
    ['embed_origins.0', { embed_origins: ["https://a.example; script-src 'unsafe-inline'"] }],
    ['embed_origins.0', { embed_origins: ['https://*.example.com'] }],
    [
      'embed_origins',
      { embed_origins: Array.from({ length: 11 }, (_, n) => `https://s${n}.example`) },
    ],
    ['methods', off('qris', 'qris')],
    ['methods.0.method', off('cheque')],
    ['display_name', { display_name: 'Two\nlines' }],
    ['display_name', { display_name: ' ' }],
  ])('%s is wrong: %j', async (field, more) => {
    const [status, { error }] = await put(await admin(), more);
    expect([status, error.code, error.details[0].field]).toEqual([400, 'VALIDATION_ERROR', field]);
  });

  test('the logo is no picture of the client', async () => {
    const [as, other] = [await admin(), await admin()];
    expect((await put(as, { logo_file_id: await logo(other) }))[0]).toBe(404);
    const evidence = await logo(as, 'dispute_evidence');
    expect((await put(as, { logo_file_id: evidence }))[1].error.code).toBe('VALIDATION_ERROR');
    const logo_file_id = await logo(as);
    await put(as, { logo_file_id });
    const gone = await h.call('DELETE /files/{id}', { as, params: { id: logo_file_id } });
    expect([gone[0], gone[1].error.code]).toEqual([409, 'FILE_IN_USE']);
  });
});

test('a method that is switched off is not listed, and refused where it is named', async () => {
  const as = await admin();
  const merchant = await h.user({ client_id: as.client_id });
  const [, { api_key: key }] = await h.call('POST /keys/sdk-key', { as, body: {} });
  const listed = async () => {
    const [, { data }] = await h.call('GET /payment-gateway/methods', {
      key,
      query: { currency: 'IDR' },
    });
    return data.map(({ method }: Body) => method);
  };
  expect(await listed()).toEqual(['qris', 'va', 'ewallet', 'card', 'wallet']);
  await put(as, off('va', 'wallet'));
  expect(await listed()).toEqual(['qris', 'ewallet', 'card']);
  const { invoice_id } = await invoices.rupiah(merchant);
  const refused = { reason: 'SWITCHED_OFF', min: '10000.00', max: '50000000.00' };
  const [status, { error }] = await invoices.begin(merchant, invoice_id);
  expect([status, error.code, error.details]).toEqual([400, 'METHOD_NOT_AVAILABLE', refused]);
  expect((await invoices.begin(merchant, invoice_id, { method: 'qris' }))[0]).toBe(201);
  const payer = await invoices.payer(as.client_id, '30.00');
  const dollars = await invoices.created(merchant);
  const [, paid] = await invoices.pay(payer.person, dollars.invoice_id, payer.wallet_id);
  expect(paid.error).toMatchObject({
    code: 'METHOD_NOT_AVAILABLE',
    details: { reason: 'SWITCHED_OFF' },
  });
});

test('what the operator switches off is off for all', async () => {
  const [operator, as] = [await h.operator(), await admin()];
  await put(operator, off('qris'));
  const [, { data }] = await h.call('GET /payment-gateway/methods', {
    as,
    query: { currency: 'IDR' },
  });
  expect(data.map(({ method }: Body) => method)).toEqual(['va', 'ewallet', 'card', 'wallet']);
  await put(operator);
});

test('the secret of return addresses is shown once, and kept sealed', async () => {
  const as = await admin();
  const make = () => h.call('POST /payment-gateway/settings/return-secret', { as });
  const [status, { data }] = await make();
  expect([status, data]).toEqual([
    200,
    { secret: expect.stringMatching(/^rs_[\w-]{43}$/), version: 1 },
  ]);
  expect(await get(as)).toMatchObject({ signs_returns: true, version: 1 });
  expect(JSON.stringify(await get(as))).not.toContain(data.secret);
  const rows = await h.db
    .selectFrom('gateway_settings')
    .selectAll()
    .where('client_id', '=', as.client_id)
    .execute();
  expect(JSON.stringify(rows)).not.toContain(data.secret);
  expect((await make())[1].data.secret).not.toBe(data.secret);
  expect((await put(as))[1].data).toMatchObject({ signs_returns: true, version: 3 });
});

test('settings are for admins, each of the own client', async () => {
  const user = await h.user();
  expect((await put(user))[0]).toBe(403);
  expect((await h.call('GET /payment-gateway/settings', { as: user }))[0]).toBe(403);
  const secret = await h.call('POST /payment-gateway/settings/return-secret', { as: user });
  expect(secret[0]).toBe(403);
});
