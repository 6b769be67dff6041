import { expect, test } from 'vitest';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { CVV, cardUser, EXPIRY, GOOD } from './cards.ts';
import { converting } from './conversions.ts';
import { harness } from './harness.ts';
import { walletOn } from './wallets.ts';

/** Production with only the required settings. */
const h = await harness({
  mock: false,
  config: {
    NODE_ENV: 'production',
    EMBEDDED_DATABASE: 'allow',
    ...newSecrets(),
    // The operator of this test reads the configuration, and has no second factor.
    OPS_PUBLIC: 'on',
    OPERATOR_2FA: 'optional',
  },
});
const user = await h.user();
/** The body for a caller with access to that user. */
const key = await h.apiKey({ client_id: user.client_id, user_id: user.user_id });
const [wallet] = await walletOn(h, user, 'amoy');

const code = { phone_number: '+6281234567890', purpose: 'login' };
const TOKEN = `0x${'ab'.repeat(20)}`;
const send = {
  wallet_address: wallet?.wallet_address,
  chain_id: 'amoy',
  token_symbol: 'POL',
  token_contract: 'native',
  to_address: TOKEN,
  amount: '1',
};

const NOT_CONFIGURED = [503, { code: 'PROVIDER_NOT_CONFIGURED' }] as const;
/** Whether the log has named that setting since the last call. */
const logged = (setting: string) =>
  h.logs.splice(0).some((line) => line.includes(setting) && line.includes('not configured'));

test('production is ready without providers, and lists the missing ones', async () => {
  const reply = await fetch(new URL('/health/ready', h.app.apiUrl()));
  expect(reply.status).toBe(200);
  const { status, providers } = (await reply.json()) as {
    status: string;
    providers: Record<string, string>;
  };
  expect(status).toBe('ok');
  const { cctp, idrx, ...others } = providers;
  // Its contracts are not named, and the other gateway is chosen, so nothing calls these.
  expect([cctp, idrx]).toEqual(['not used', 'not used']);
  expect(Object.keys(others).length).toBeGreaterThan(10);
  expect(new Set(Object.values(others))).toEqual(new Set(['not configured']));
});

test('cards are refused before anything is sent, and no transaction stays open', async () => {
  const holder = await cardUser(h, user);
  expect(await holder.topUp('25.50')).toMatchObject(NOT_CONFIGURED);
  const card = { card_number: GOOD, expiry_date: EXPIRY, cvv: CVV };
  expect(await holder.post('card/validate', card)).toMatchObject(NOT_CONFIGURED);
  const open = await h.db.selectFrom('card_transactions').select(['state', 'failure']).execute();
  expect(open).toEqual([{ state: 'FAILED', failure: 'NOT_CONFIGURED' }]);
  expect(logged('CARD_NETWORK_URL')).toBe(true);
});

test.each([
  ['POST /ekyc/idv/token', 'IDENTITY_URL', {}],
  ['POST /ekyc/idv/websdk/{userId}', 'IDENTITY_URL', { params: { userId: user.user_id } }],
  ['POST /extauth/auth/login', 'EXTAUTH_APP_ID', { body: { ext_token: 'x.y.z' } }],
  ['POST /pspb/customers', 'PARTNER_API_KEY', { body: { user_id: user.user_id } }],
  ['POST /tokens/import', 'EVM_AMOY_RPC_URL', { body: { chain_id: 'amoy', asset_issuer: TOKEN } }],
  ['POST /onchain/execute', 'FX_URL', { body: send }],
  ['POST /xotp/request', 'SMS_URL', { body: { ...code, channel: 'sms' } }],
  ['POST /xotp/request', 'WHATSAPP_URL', { body: { ...code, channel: 'wa' } }],
  ['POST /users/request-otp', 'WHATSAPP_TOKEN', { key, body: { user_id: user.user_id } }],
] as const)('%s answers so, and the log names %s', async (id, setting, call) => {
  h.logs.length = 0;
  const [status, body] = await h.call(id, { as: user, body: {}, ...call });
  expect([status, { code: body.code ?? body.error.code }]).toEqual(NOT_CONFIGURED);
  expect(logged(setting)).toBe(true);
});

test('durable messages wait for their provider, and the log names the setting', async () => {
  await h.operator();
  const [status] = await h.call('POST /clients/create_with_admin', {
    body: {
      email: 'grace@company.example',
      client_alias: 'Grace & Co',
      client_type: 'BUSINESS',
      country_code: 'US',
      phone: '+12025550100',
    },
  });
  expect(status).toBe(201);
  await h.drain();
  expect(logged('SMTP_URL')).toBe(true);
  const waiting = await h.db.selectFrom('messages').select(['channel', 'status']).execute();
  expect(
    waiting.every((message) => message.channel === 'email' && message.status === 'queued'),
  ).toBe(true);
  expect(waiting.length).toBeGreaterThan(0);
});

test('a search in the marketplaces is the contract’s 500 with a reason', async () => {
  h.logs.length = 0;
  const sources = ['marketplace_1', 'marketplace_2'];
  expect(
    await h.call('POST /marketplace/search', { body: { query: 'batik', sources } }),
  ).toMatchObject([500, { error: 'Search failed', details: 'No marketplace is configured' }]);
  expect(logged('MARKETPLACE_1_URL')).toBe(true);
  expect(await h.call('POST /marketplace/chat', { body: { message: 'hello' } })).toMatchObject([
    500,
    { error: 'Chat service unavailable', details: 'No language model is configured' },
  ]);
});

test('Cardano is refused before money is held, and no treasury address is shown', async () => {
  const body = { user_id: user.user_id, fiat_amount: '1', currency_from: 'USD', cardNumber: GOOD };
  const to = { currency_to: 'IDR' };
  const reply = await h.call('POST /cardano/onramp-bank-offramp-bank', {
    as: user,
    body: { ...body, ...to },
  });
  expect(reply).toMatchObject(NOT_CONFIGURED);
  expect(await h.call('GET /cardano/balance', { as: user })).toMatchObject([
    400,
    { error: 'Address is required and no default set' },
  ]);
});

// A day passes here, and with it all log-ins: at the end.
test('no rupiah leave for an unconfigured exchange, and no job waits for it', async () => {
  const holder = await converting(h);
  const refused = [503, { error_code: 'PROVIDER_NOT_CONFIGURED' }];
  h.logs.length = 0;
  expect(await holder.start(300_000)).toMatchObject(refused);
  expect(logged('EXCHANGE_URL')).toBe(true);
  expect((await holder.wallet()).held).toBe(0n);
  const as = await h.operator();
  for (const path of ['run-daily', 'poll-balance'])
    expect(await h.call(`POST /exchange/conversion/${path}`, { as })).toMatchObject(refused);
  await h.drain();
  await h.advance(25 * 3600);
  await h.drain();
  expect(h.logs.some((line) => line.includes('Conversions do not run'))).toBe(true);
  const dead = await h.kernel.jobs.deadLetters();
  expect(dead.filter(({ name }) => name.startsWith('conversion'))).toEqual([]);
  // Nor does a schedule call a chain that does not exist.
  expect(h.logs.filter((line) => /"(CARDANO|XRPL)_URL"/.test(line))).toEqual([]);
});
