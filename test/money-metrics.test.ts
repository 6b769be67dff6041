import { expect, test } from 'vitest';
import { createMetrics } from '#kernel/metrics.ts';
import { countPayments } from '#src/app/operate/payment-metrics.ts';
import { linkedUser } from './bank-link.ts';
import { harness } from './harness.ts';

/** Each figure rises with its event, and by the right amount. */
const h = await harness({ mock: false });
const user = await h.user({ ekyc_status: 'APPROVED' });
await h.call('POST /wallets/fiat', { as: user, body: { currency: 'USD' } });

/** All current series, by name and labels. */
async function figures(): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(new URL('/metrics', h.app.apiUrl()))).text();
  const lines = text.split('\n').filter((line) => line.startsWith('archipay_'));
  return new Map(
    lines.map((line) => {
      const cut = line.lastIndexOf(' ');
      return [line.slice(0, cut), Number(line.slice(cut + 1))];
    }),
  );
}

/** The growth of the series of `name` with all these labels during `work`. */
async function growth(
  work: () => Promise<unknown>,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<number> {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const sum = (all: ReadonlyMap<string, number>) =>
    [...all]
      .filter(([series]) => series.startsWith(`${name}{`) || series === name)
      .filter(([series]) => wanted.every((label) => series.includes(label)))
      .reduce((total, [, value]) => total + value, 0);
  const before = sum(await figures());
  await work();
  return sum(await figures()) - before;
}

let serial = 0;
function newKey(): string {
  serial += 1;
  return `top-up-${serial}`;
}
async function topUp(card_number = '4111111111111111', key = newKey()) {
  const body = { card_number, expiry_date: '1232', amount: '10.00', currency_code: 'USD' };
  const headers = { 'idempotency-key': key };
  return h.call('POST /card-checkout/card', { as: user, body, headers });
}
const CARD = { rail: 'card', kind: 'payment', currency: 'USD' };

test('a payment counts by its rail, kind, currency and outcome', async () => {
  const paid = { ...CARD, result: 'succeeded' };
  expect(await growth(() => topUp(), 'archipay_payments_total', paid)).toBe(1);
});

test('a declined card counts as declined, not failed, and as an error with its code', async () => {
  const declined = () => topUp('4000000000000002');
  const results = ['declined', 'failed'].map((result) => ({ ...CARD, result }));
  for (const [n, labels] of results.entries())
    expect(await growth(declined, 'archipay_payments_total', labels)).toBe(n === 0 ? 1 : 0);
  const error = { route: 'POST /card-checkout/card', code: 'CARD_DECLINED' };
  expect(await growth(declined, 'archipay_errors_total', error)).toBe(1);
});

test('only refusals of a card or bank count as declined; other failures as failed', async () => {
  const metrics = createMetrics();
  const count = countPayments(metrics, h.app.features.payments);
  const event = { type: 'payment.failed', currency: 'USD' };
  for (const [rail, failure] of [
    ['card', 'INSUFFICIENT_FUNDS'],
    ['card', 'NOT_SEEN'],
    ['bank', 'refused'],
    ['bank', 'failed'],
    ['onchain', 'refused'],
  ])
    count([{ type: event.type, data: { rail, failure, currency: 'USD' } }]);
  const text = await metrics.registry.metrics();
  const lines = text.match(/^archipay_payments_total\{.*$/gm) ?? [];
  expect(lines.map((line) => /rail="(\w+)".*result="(\w+)".* (\d)$/.exec(line)?.slice(1))).toEqual([
    ['card', 'declined', '1'],
    ['card', 'failed', '1'],
    ['bank', 'declined', '1'],
    ['bank', 'failed', '1'],
    ['onchain', 'failed', '1'],
  ]);
});

test('a bank top-up counts when it begins, arrives, is declined and returns', async () => {
  const ada = await linkedUser(h);
  const bank = { rail: 'bank', kind: 'payment', currency: 'USD' };
  const counted = (result: string, work: () => Promise<unknown>) =>
    growth(work, 'archipay_payments_total', { ...bank, result });
  const step = (event: string) => async () => {
    await ada.step(event);
    await h.drain();
  };
  expect(await counted('pending', () => ada.topUp(10))).toBe(1);
  await step('posted')();
  expect(await counted('succeeded', step('settled'))).toBe(1);
  expect(await counted('returned', step('returned'))).toBe(1);
  // More than the balance of the sandbox's bank account.
  expect(await counted('declined', () => ada.topUp(99_999))).toBe(1);
});

test('a call to a node of an EVM chain counts by its method, also when refused', async () => {
  const { amoy } = h.app.evm.chains;
  const name = 'archipay_provider_seconds_count';
  const node = { provider: 'evm-amoy' };
  const client = await amoy.client();
  const look = () => client.getBlockNumber();
  expect(
    await growth(look, name, { ...node, call: 'eth_blockNumber', result: 'done' }),
  ).toBeGreaterThanOrEqual(1);
  const refused = () => client.getTransactionCount({ address: '0x12' }).catch(() => undefined);
  expect(
    await growth(refused, name, { ...node, call: 'eth_getTransactionCount', result: 'refused' }),
  ).toBeGreaterThanOrEqual(1);
});

test('a call to a provider counts with its time and result, also when it gets lost', async () => {
  const pull = { provider: 'card-network', call: 'pull' };
  const name = 'archipay_provider_seconds_count';
  expect(await growth(() => topUp(), name, { ...pull, result: 'done' })).toBe(1);
  const away = async () => {
    await h.sandbox('POST', '/faults', { provider: 'card-network', kind: 'drop', times: 1 });
    await topUp();
  };
  expect(await growth(away, name, { ...pull, result: 'unknown' })).toBe(1);
});

test('messages count as calls of their channel', async () => {
  const mail = async () => {
    await h.call('POST /password/request_reset', { body: { email: user.email } });
    await h.drain();
  };
  const sent = { provider: 'email', call: 'send', result: 'done' };
  expect(await growth(mail, 'archipay_provider_seconds_count', sent)).toBe(1);
});

test('failed log-ins, refused webhooks and repeated answers count', async () => {
  const logIn = () =>
    h.call('POST /auth/login', { body: { usernameoremail: user.email, password: 'wrong' } });
  const errors = 'archipay_errors_total';
  expect(await growth(logIn, errors, { route: 'POST /auth/login' })).toBe(1);
  const signed = h.app.features.routes.filter(({ endpoint }) => endpoint.signed);
  expect(signed.length).toBeGreaterThan(1);
  for (const { id } of signed) {
    const forged = () => h.call(id, { as: 'nobody', body: { forged: true } });
    expect(await growth(forged, errors, { route: id }), id).toBe(1);
  }
  await topUp(undefined, 'again');
  const again = () => topUp(undefined, 'again');
  const replay = { route: 'POST /card-checkout/card' };
  expect(await growth(again, 'archipay_replays_total', replay)).toBe(1);
});

test('tokens of the language model count, in both directions', async () => {
  const ask = () => h.call('POST /marketplace/chat', { as: 'nobody', body: CHAT });
  for (const direction of ['input', 'output'])
    expect(await growth(ask, 'archipay_llm_tokens_total', { direction })).toBeGreaterThan(0);
});
const CHAT = { message: 'find a mug' };

test('reading the figures does not count as work that waits for a connection', async () => {
  const small = await harness({ config: { DB_POOL: '4' } });
  const places = Array.from({ length: 3 }, () => new URL('/metrics', small.app.apiUrl()));
  for (const place of places) {
    const text = await (await fetch(place)).text();
    expect(text).toContain('archipay_database_connections{state="waited for"} 0');
  }
});

test('every object with events is a payment, or known not to be one', () => {
  const objects = new Set(h.app.features.events.map(({ object }) => object));
  const payments = new Set(h.app.features.payments.map(({ object }) => object));
  const others = [...objects].filter((object) => !payments.has(object)).sort();
  expect(others).toEqual(NO_PAYMENTS);
});

/** Objects that move no money by themselves; the movement's own object emits the wallet events. */
const NO_PAYMENTS = [
  ...[
    'api_key',
    'bank_account',
    'bank_connection',
    'batch',
    'card',
    'card_decision',
    'card_dispute',
  ],
  ...['card_transaction', 'client', 'crypto_wallet', 'device', 'exchange_wallet'],
  ...['external_identity', 'fee_settings', 'gateway_settings', 'instance', 'invoice'],
  ...['invoice_payment', 'member'],
  ...['network', 'partner_customer', 'passkey', 'payment_link', 'payment_request'],
  'pending_change',
  ...['policy', 'psp_customer', 'recipient', 'reconciliation', 'reported_transfer', 'reward'],
  ...[
    'session',
    'social_link',
    'team_invitation',
    'team_member',
    'two_factor',
    'user',
    'verification',
    'wallet',
  ],
  ...['wallet_address', 'wallet_proof'],
  ...['webhook_endpoint', 'work'],
];
