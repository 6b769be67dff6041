import { expect, test } from 'vitest';
import { type Body, harness } from '#test/harness.ts';
import { invoicesOf } from '#test/invoices.ts';

const h = await harness({ mock: false });
await h.drain();
const invoices = invoicesOf(h);

/** A merchant of a client that has rows of its own, in units of IDR. */
async function clientWith(...rows: readonly (readonly [string, bigint, bigint])[]) {
  const { client_id } = await h.client();
  for (const [method, least, most] of rows)
    await h.db
      .insertInto('invoice_methods')
      .values({
        client_id,
        method,
        currency: 'IDR',
        least,
        most,
        refunds: 'in_parts',
        settles: 'at_once',
      })
      .execute();
  const as = await h.user({ client_id });
  const key = (await h.call('POST /keys/sdk-key', { as, body: {} }))[1].api_key;
  const list = async (query: Record<string, string> = {}): Promise<Body[]> => {
    const asked = { as, key, query: { currency: 'IDR', ...query } };
    return (await h.call('GET /payment-gateway/methods', asked))[1].data;
  };
  return { as, list };
}

test('the ways to pay are rows of the operator', async () => {
  const { list } = await clientWith();
  expect(await list()).toEqual([
    expect.objectContaining({ method: 'qris', min: '1000.00', max: '10000000.00' }),
    {
      method: 'va',
      currency: 'IDR',
      fee: { flat: '0.00', bps: 0 },
      min: '10000.00',
      max: '50000000.00',
      refunds: 'in_parts',
      settles: 'at_once',
    },
    expect.objectContaining({ method: 'ewallet' }),
    expect.objectContaining({ method: 'card', refunds: 'once' }),
    expect.objectContaining({ method: 'wallet', min: '0.01', max: '999999999999999.99' }),
  ]);
  expect((await list({ currency: 'VND' })).map(({ method, min }) => [method, min])).toEqual([
    ['card', '10000'],
    ['wallet', '1'],
  ]);
});

test('a client’s rows narrow them, and never widen them', async () => {
  const { as, list } = await clientWith(['va', 2_000_000n, 3_000_000n], ['qris', 1n, 10n ** 15n]);
  const shown = (await list()).map(({ method, min, max }) => [method, min, max]);
  expect(shown.slice(0, 2)).toEqual([
    ['qris', '1000.00', '10000000.00'],
    ['va', '20000.00', '30000.00'],
  ]);
  expect((await list({ amount: '50000' })).map(({ method }) => method)).not.toContain('va');
  const { invoice_id } = await invoices.rupiah(as);
  const [status, { error }] = await invoices.begin(as, invoice_id);
  expect([status, error.code, error.details]).toEqual([
    400,
    'METHOD_NOT_AVAILABLE',
    { reason: 'TOO_LARGE', min: '20000.00', max: '30000.00' },
  ]);
  expect((await invoices.begin(as, invoice_id, { method: 'qris' }))[0]).toBe(201);
});
