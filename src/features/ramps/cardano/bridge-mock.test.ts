import { expect, test } from 'vitest';
import { bridger } from '#test/bridge.ts';
import { ELSEWHERE } from '#test/cardano.ts';
import { usedToday } from '#test/crosschain.ts';
import { type Body, harness } from '#test/harness.ts';

/** In mock mode the platform makes what the source does not have. */
const h = await harness();
const person = await bridger(h);
const codeOf = ([status, body]: [number, Body]) => [status, body.error?.code ?? body.code];
const unit = (text: string) => BigInt(text.replace('.', ''));
const to = { to_chain: 'cardano', recipient_address: ELSEWHERE };

test('a quote to Cardano charges what its network takes', async () => {
  const [status, { data }] = await person.quote({ amount: '500', ...to });
  expect([status, data.platform_fee]).toEqual([201, '0.500000']);
  expect(unit(data.network_fee)).toBeGreaterThan(0n);
  expect(unit(data.min_received)).toBe(500_000_000n - 500_000n - unit(data.network_fee));
});

const { treasury } = await h.app.providers.cardano.identity();
test.each([
  ['an EVM address is named', { to_chain: 'cardano' }],
  ['the main network is named', { ...to, recipient_address: ELSEWHERE.replace('_test1', '1') }],
  ['a tag is named', { ...to, recipient_tag: 7 }],
  ['the recipient is the platform’s own', { ...to, recipient_address: treasury }],
])('a quote to Cardano is refused where %s', async (_, over) => {
  expect(codeOf(await person.quote(over))).toEqual([400, 'VALIDATION_ERROR']);
});

test('a transfer to Cardano is taken in, minted to the platform and sent on', async () => {
  const made = await person.moved(to);
  expect(made).toMatchObject({
    status: 'COMPLETED',
    to_chain: 'cardano',
    steps: [
      { name: 'burn', chain: 'sepolia', state: 'DONE', hash: expect.any(String) },
      { name: 'attest', chain: 'sepolia', state: 'DONE' },
      { name: 'mint', chain: 'cardano', state: 'DONE', hash: expect.any(String) },
      { name: 'send', chain: 'cardano', state: 'DONE', explorer_url: expect.any(String) },
    ],
  });
  const [, payments] = await h.call('GET /payments', { as: person.as });
  expect(payments.data.items[0]).toMatchObject({ rail: 'bridge', status: 'SUCCEEDED' });
});

test('transfers to all chains count together against the day', async () => {
  const other = await bridger(h);
  await other.moved(to);
  await other.moved();
  expect(await usedToday(h, other.as)).toBe(50_000_000n);
});

test('a dry run to Cardano leaves nothing behind', async () => {
  const [, quoted] = await person.quote(to);
  const { quote_id } = quoted.data;
  const dry = { query: { dry_run: 'true' }, headers: {} };
  const [status, { data }] = await person.begin(quote_id, dry);
  expect([status, data.would.events]).toEqual([200, ['bridge_transfer.burning']]);
  expect((await person.begin(quote_id))[1].data.status).toBe('COMPLETED');
});
