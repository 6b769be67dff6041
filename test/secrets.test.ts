import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { holdsSecret, isSecret } from '#kernel/http/declare/secret.ts';
import { bankUser } from './bank-link.ts';
import { OWN_PAGE, protectedOperator, signIn } from './console.ts';
import { askedByFamilies } from './device-secrets.ts';
import { newAccount, tokenOf } from './external-login.ts';
import { type Body, type CallOptions, harness, type Person } from './harness.ts';
import { codeOf, logIn, protectedUser } from './two-factor.ts';

/** Secrets are marked in the reply's schema, and their answers are kept for their caller alone. */
const h = await harness({ config: { TRUST_PROXY: '1' } });
const routes = h.app.features.routes;

const SECRETIVE =
  /(^|_|[a-z](?=[A-Z]))(tokens?|secrets?|passwords?|passphrase|mnemonic|seed|words|private_?key|api_?keys?|entry_key|signing_?key|backup_codes?|recovery_codes?|otp|otp_code|pin|cvv|qr_code|link|jwt)$/i;

/** Fields that are only named like a secret, by their place in a reply. */
const HARMLESS: Readonly<Record<string, string>> = {
  'GET /keys/sdk-key 200.data[].api_key': 'masked',
  'PATCH /keys/sdk-key/{api_key} 200.data.api_key': 'masked',
  'DELETE /team/{user_id} 200.data.keys[].api_key': 'masked',
  'POST /admins/users/{user_id}/stop 200.left.keys[].api_key': 'masked',
  'GET /extauth/health 200.data.configuration.app_secret': 'whether there is one',
  'GET /crosschain/details/{log_id} 200.data.transaction.token': 'a currency',
  'GET /crosschain/history/{user_id} 200.data.transactions[].token': 'a currency',
  'POST /crosschain/initiate 200.data.token': 'a currency',
  'GET /transactions/{user_id}/history 200.data.transactions[].token': 'a currency',
  'GET /networks 200.data.items[].tokens': 'currencies',
  'GET /networks/{id} 200.data.tokens': 'currencies',
  'GET /wallets/{wallet_id}/balance 200.data.chains.tokens': 'currencies',
  'GET /manual/wallets/crypto/{user_id} 200.data.wallets[].total_tokens': 'how many currencies',
  'GET /idrtoken/transactions/mint 200.data[].amount_token': 'an amount',
  'GET /idrtoken/transactions/redeem 200.data[].amount_token': 'an amount',
  'GET /marketplace/orders 200.orders[].payment_token': 'a currency',
  'GET /marketplace/orders/{order_id} 200.order.payment_token': 'a currency',
  'GET /marketplace/payments 200.payments[].token': 'a currency',
  'POST /marketplace/chat 200.usage.completion_tokens': 'words counted',
  'POST /marketplace/chat 200.usage.prompt_tokens': 'words counted',
  'POST /marketplace/chat 200.usage.total_tokens': 'words counted',
  'POST /marketplace/orders 200.order.payment_token': 'a currency',
  'POST /marketplace/orders/{order_id}/fulfilment 200.order.payment_token': 'a currency',
  'POST /marketplace/orders/{order_id}/pay 200.order.payment_token': 'a currency',
  'POST /marketplace/payments/{payment_id}/assign 200.payment.token': 'a currency',
  'POST /marketplace/payments/{payment_id}/mark-refunded 200.payment.token': 'a currency',
  'POST /marketplace/payments/{payment_id}/refund 200.payment.token': 'a currency',
  'POST /marketplace/payments/{payment_id}/write-off 200.payment.token': 'a currency',
};

/** Every named field of a schema: `200.data[].api_key`. */
function fieldsOf(schema: unknown, place: string): [place: string, name: string, schema: object][] {
  if (Array.isArray(schema)) return schema.flatMap((one) => fieldsOf(one, place));
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([keyword, inner]) => {
    if (keyword === 'items') return fieldsOf(inner, `${place}[]`);
    if (keyword !== 'properties') return fieldsOf(inner, place);
    return Object.entries(inner as Record<string, object>).flatMap(
      ([name, field]): [string, string, object][] => [
        [`${place}.${name}`, name, field],
        // Everything inside a secret is one anyway.
        ...(isSecret(field) ? [] : fieldsOf(field, `${place}.${name}`)),
      ],
    );
  });
}
const fields = routes.flatMap(({ id, endpoint }) =>
  Object.entries(endpoint.reply).flatMap(([status, schema]) => fieldsOf(schema, `${id} ${status}`)),
);

test('a reply’s field with a name like a secret is marked as one', () => {
  const named = fields.filter(([, name]) => SECRETIVE.test(name));
  expect(named.length).toBeGreaterThan(15);
  const unmarked = named.filter(([, , schema]) => !isSecret(schema)).map(([place]) => place);
  expect(unmarked.sort()).toEqual(Object.keys(HARMLESS).sort());
});

interface Asking {
  readonly options: CallOptions;
  /** The current rows that the request makes or changes. */
  readonly traces: string;
}
const asking = (options: CallOptions, traces = 'sessions'): Asking => ({ options, traces });

const someone = async () => ({ as: await h.user({ ekyc_status: 'PENDING' }) });
const newKey = async (as: Person): Promise<string> =>
  (await h.call('POST /keys/sdk-key', { as, body: {} }))[1].api_key;

/** A valid request to each endpoint that answers a secret and changes something. */
const ASKED: Readonly<Record<string, () => Promise<Asking>>> = {
  'POST /auth/login': () =>
    h.user().then(({ email, password }) => asking({ body: { usernameoremail: email, password } })),
  async 'POST /auth/complete-login'() {
    const user = await protectedUser(h);
    await logIn(h, user);
    const two_fa_token = codeOf(h, user.secret);
    return asking({ body: { user_id: user.user_id, two_fa_token } });
  },
  ...askedByFamilies(h),
  'POST /extauth/auth/login': async () =>
    asking({ body: { ext_token: await tokenOf(h, newAccount()) }, key: operatorKey }),
  'POST /xusers/login': async () => asking({ body: { phone: '+6281200009999' } }),
  'POST /keys/generate-sdk-key': async () => asking({ as: 'nobody', body: {} }, 'api_keys'),
  'POST /keys/sdk-key': async () => asking({ ...(await someone()), body: {} }, 'api_keys'),
  async 'POST /keys/sdk-key/{api_key}/rotate'() {
    const { as } = await someone();
    return asking({ as, params: { api_key: await newKey(as) }, body: {} }, 'api_keys');
  },
  'POST /2fa/setup': async () => asking({ ...(await someone()), body: {} }, 'two_factor_audit'),
  'POST /2fa/backup-codes': () =>
    protectedUser(h).then((as) =>
      asking({ as, body: { password: as.password } }, 'two_factor_audit'),
    ),
  async 'POST /admins/users'() {
    const as = await h.user({ role: 'admin' });
    const person = { username: 'New', email: 'new@example.test', phone: '+15550101' };
    return asking(
      { as, body: { client_id: as.client_id, ...person, country_code: 'US' } },
      'users',
    );
  },
  async 'POST /manual/wallets/crypto/{bw_id}/address'() {
    const { as } = await someone();
    const wallet = { user_id: as.user_id, wallet_name: 'W', chain_id: 'sepolia' };
    const [, { data }] = await h.call('POST /manual/wallets/crypto', { as, body: wallet });
    const params = { bw_id: data.bw_id };
    return asking({ as, params, body: { chain_id: 'amoy' } }, 'wallet_addresses');
  },
  async 'POST /agent/wallets/process'() {
    const { as } = await someone();
    const { user_id } = as;
    const wallet = { user_id, wallet_name: 'W', chain_id: 'sepolia' };
    await h.call('POST /manual/wallets/crypto', { as, body: wallet });
    const body = { user_id, user_input: 'Add an address on amoy' };
    return asking({ as, body }, 'wallet_addresses');
  },
  async 'POST /users/request-otp'() {
    const { as } = await someone();
    return asking({ body: { user_id: as.user_id } }, 'user_otps');
  },
  async 'POST /banklink/link-token/create'() {
    const { as, wallet_id } = await bankUser(h, await h.user());
    return asking({ as, body: { wallet_id } }, 'bank_link_tokens');
  },
  async 'POST /banklink/item/public-token/exchange'() {
    const { as, wallet_id, publicToken } = await bankUser(h, await h.user());
    return asking({ as, body: { ...(await publicToken()), wallet_id } }, 'bank_connections');
  },
  'POST /cards/{card_id}/reveal': () => provenCardPage('POST /cards/{card_id}/reveal'),
  'POST /cards/{card_id}/pin': () => provenCardPage('POST /cards/{card_id}/pin'),
  'PUT /cards/decision-webhook': async () =>
    asking({ as: await h.user({ role: 'admin' }), body: DECISIONS }, 'card_decision_webhooks'),
  async 'POST /webhook-endpoints'() {
    const as = await h.user({ role: 'admin' });
    return asking({ as, body: WEBHOOK }, 'webhooks.endpoints');
  },
  'POST /webhook-endpoints/{endpoint_id}/rotate-secret': () => ofEndpoint('webhooks.endpoints'),
  'POST /webhook-endpoints/{endpoint_id}/reveal-secret': () => ofEndpoint(),
  async 'POST /console/session'() {
    const { email, password } = await h.operator();
    const body = { usernameoremail: email, password };
    return asking({ as: 'nobody', headers: OWN_PAGE, body }, 'sessions');
  },
  async 'POST /console/session/complete'() {
    const person = await protectedOperator(h);
    await h.advance(30);
    await signIn(h, person);
    const body = { user_id: person.user_id, code: codeOf(h, person.secret) };
    return asking({ as: 'nobody', headers: OWN_PAGE, body }, 'sessions');
  },
  'POST /ekyc/idv/token': async () => asking({ ...(await someone()), body: {} }),
  'POST /ekyc/idv/token-kyb': async () => asking({ ...(await someone()), body: {} }),
  'POST /ekyc/idv/websdk/{userId}': () => hostedPage(),
  'POST /ekyc/idv/websdk-kyb/{userId}': () => hostedPage(),
};
const WEBHOOK = { url: 'https://hooks.example/archipay', types: ['*'] };
const DECISIONS = { url: WEBHOOK.url, timeout_ms: 500, fallback: { decline: true } };
const operator = await h.operator();
const operatorKey = await newKey(operator);
async function ofEndpoint(traces?: string): Promise<Asking> {
  const as = await h.user({ role: 'admin' });
  const [, { data }] = await h.call('POST /webhook-endpoints', { as, body: WEBHOOK });
  return asking({ as, params: { endpoint_id: data.endpoint_id }, body: {} }, traces);
}
async function hostedPage(): Promise<Asking> {
  const { as } = await someone();
  return asking({ as, params: { userId: as.user_id }, body: {} }, 'verification_history');
}

async function provenCardPage(
  id: 'POST /cards/{card_id}/reveal' | 'POST /cards/{card_id}/pin',
): Promise<Asking> {
  const as = await h.user({ ekyc_status: 'APPROVED' });
  const [, wallet] = await h.call('POST /wallets/fiat', { as, body: { currency: 'USD' } });
  const body = { wallet_id: wallet.data.wallet_id, name_on_card: 'Siti Rahma' };
  const [, card] = await h.call('POST /cards', { as, body });
  const params = { card_id: card.data.card_id };
  const [, { error }] = await h.call(id, { as, params, body: {} });
  const { challenge_id } = error.details;
  const proof = { challenge_id, current_password: as.password };
  await h.call('POST /step-up', { as, body: proof });
  return asking({ as, params, body: {}, headers: { 'x-step-up': challenge_id } }, 'step_ups');
}

const telling = routes.flatMap(({ id, endpoint: { reply, neverRepeated } }) =>
  id.startsWith('GET ') || neverRepeated || !holdsSecret(reply) ? [] : [id],
);

test('every endpoint that answers a secret is tested below', () => {
  expect(telling.sort()).toEqual(Object.keys(ASKED).sort());
});

const stateOf = async (table: string): Promise<Body[]> =>
  run(h.db, `select xmin::text, t.* from ${table} t order by 1, t::text`, []);

/** The stored answer of a request, opened with all keys of the service. */
async function keptOf(key: string): Promise<{ status: number; opened: string | undefined }> {
  const [row] = await run<{ status: number; answer: string | null; context: string }>(
    h.db,
    `select status, answer, 'idempotency:' || encode(scope, 'hex') as context
     from idempotency_keys order by created_at desc limit 1`,
    [],
  );
  if (!row) throw new Error(`Nothing is kept under ${key}`);
  const { status, answer, context } = row;
  return { status, opened: answer === null ? undefined : h.kernel.vault.open(answer, context) };
}
const secretsIn = (answer: Body): string[] =>
  typeof answer === 'object' && answer !== null
    ? Object.values(answer).flatMap(secretsIn)
    : typeof answer === 'string' && answer.length > 5
      ? [answer]
      : [];

test.each(telling)('%s is done once, and only its caller can have its answer again', async (id) => {
  const { options, traces } = (await ASKED[id]?.()) ?? asking({});
  const key = randomUUID();
  const send = (more: CallOptions = {}) =>
    h.send(id, {
      ...options,
      ...more,
      headers: { ...options.headers, 'idempotency-key': key, ...more.headers },
    });
  const first = await send();
  expect(first.status, JSON.stringify(first.body)).toBeLessThan(300);
  const kept = await keptOf(key);
  expect(kept.status).toBe(first.status);
  for (const text of secretsIn(first.body)) expect(kept.opened).not.toContain(text);

  const before = await stateOf(traces);
  const again = await send();
  expect([again.status, again.body]).toEqual([first.status, first.body]);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  expect(again.headers.get('set-cookie')).toEqual(first.headers.get('set-cookie'));
  expect(await stateOf(traces)).toEqual(before);
  expect(h.logs.join('')).not.toContain(key);
});

const codeIn = (body: Body) => body.error_code ?? body.code ?? body.error?.code;

test('another log-in of the same user does not open the first one’s answer', async () => {
  const as = await h.user();
  const { email, password } = as;
  const headers = { 'idempotency-key': randomUUID() };
  const make = (token: string) =>
    h.call('POST /keys/sdk-key', { as: { ...as, token }, body: {}, headers });
  const [, first] = await make(as.token);
  const [, { data }] = await h.call('POST /auth/login', {
    body: { usernameoremail: email, password },
  });
  const [status, refused] = await make(data.token);
  expect([status, codeIn(refused)]).toEqual([409, 'IDEMPOTENCY_ANSWER_NOT_KEPT']);
  expect(JSON.stringify(refused)).not.toContain(first.api_key);
  expect((await make(as.token))[1].api_key).toBe(first.api_key);
});

test('without a log-in, a guessable key opens nothing', async () => {
  const generate = (key: string) => {
    const headers = { 'idempotency-key': key, 'x-forwarded-for': '203.0.113.77' };
    return h.call('POST /keys/generate-sdk-key', { as: 'nobody', headers, body: {} });
  };
  for (const key of ['1', 'key-2026-11-27-0000000001', '0'.repeat(40)]) {
    expect((await generate(key))[0]).toBe(200);
    const [status, refused] = await generate(key);
    expect([status, codeIn(refused)], key).toEqual([409, 'IDEMPOTENCY_ANSWER_NOT_KEPT']);
  }
  const mine = randomUUID();
  expect(await generate(mine)).toEqual(await generate(mine));
});

test('a key of one’s own opens its answer under any key, and another person’s key does not', async () => {
  const keyOf = async () => {
    const as = await h.user({ role: 'admin' });
    return (await h.call('POST /keys/sdk-key', { as, body: {} }))[1].api_key as string;
  };
  const make = (apiKey: string) =>
    h.send('POST /webhook-endpoints', {
      key: apiKey,
      body: { url: 'https://receiver.example/hook', types: ['*'] },
      headers: { 'idempotency-key': '1' },
    });
  const mine = await keyOf();
  const first = await make(mine);
  expect(first.status, JSON.stringify(first.body)).toBe(201);
  const again = await make(mine);
  expect([again.status, again.body]).toEqual([201, first.body]);
  const theirs = await make(await keyOf());
  expect(theirs.body.data.secret).not.toBe(first.body.data.secret);
});

test('one of twenty requests with one key acts, the others repeat its answer or wait', async () => {
  const { email, password } = await h.user();
  const options = {
    body: { usernameoremail: email, password },
    headers: { 'idempotency-key': 'log-in-once' },
  };
  const before = await stateOf('sessions');
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => h.call('POST /auth/login', options)),
  );
  const answer = answers.filter(([status]) => status === 200).map(([, { data }]) => data.token);
  expect(new Set(answer).size).toBe(1);
  for (const [status] of answers) expect([200, 409]).toContain(status);
  expect(await stateOf('sessions')).toHaveLength(before.length + 1);
});

test('without a log-in a key and its answer belong to their network', async () => {
  const from = (ip: string) => ({
    headers: { 'idempotency-key': '1', 'x-forwarded-for': ip },
    body: { phone_number: '+6281200000007', purpose: 'login' },
  });
  const ask = (ip: string) => h.send('POST /xotp/request', from(ip));
  const replayed = (answer: Awaited<ReturnType<typeof ask>>) =>
    answer.headers.get('idempotent-replayed');
  const [mine, again] = [await ask('2001:db8:0:1::1'), await ask('2001:db8:0:1::2')];
  expect([replayed(mine), replayed(again)]).toEqual([null, 'true']);
  expect(again.body).toEqual(mine.body);
  const stranger = await ask('2001:db8:0:2::1');
  expect([stranger.status, replayed(stranger)]).toEqual([200, null]);
  expect(stranger.body.otp_id).not.toBe(mine.body.otp_id);
});

test('two strangers with the same key make two API keys', async () => {
  const make = async (ip: string) => {
    const headers = { 'idempotency-key': '1', 'x-forwarded-for': ip };
    return h.call('POST /keys/generate-sdk-key', { as: 'nobody', headers, body: {} });
  };
  const answers = [await make('203.0.113.1'), await make('203.0.113.2'), await make('203.0.113.1')];
  expect(answers.map(([status]) => status)).toEqual([200, 200, 409]);
  expect(answers[0]?.[1].api_key).not.toBe(answers[1]?.[1].api_key);
});

test('a refused log-in is refused again under its key, without another try', async () => {
  const { email } = await h.user();
  const headers = { 'idempotency-key': 'refused' };
  const body = { usernameoremail: email, password: 'wrong' };
  const first = await h.send('POST /auth/login', { body, headers });
  const before = await stateOf('login_failures');
  const again = await h.send('POST /auth/login', { body, headers });
  expect([first.status, again.status, again.headers.get('idempotent-replayed')]).toEqual([
    401,
    401,
    'true',
  ]);
  expect(await stateOf('login_failures')).toEqual(before);
});

test('no table and no log has messages to the agent, or queries of webhook addresses', async () => {
  const as = await h.user({ role: 'admin' });
  const body = {
    user_id: as.user_id,
    user_input: 'create a wallet of the words zebrawords winner',
  };
  const said = await h.call('POST /agent/wallets/process', { as, body });
  expect(said).toMatchObject([206, { agent_response: { missing_parameter: 'wallet_name' } }]);
  const url = 'https://hooks.example/archipay?token=zebraquery';
  const made = await h.call('POST /webhook-endpoints', { as, body: { ...WEBHOOK, url } });
  const { endpoint_id } = made[1].data;
  const params = { endpoint_id };
  expect((await h.call('GET /webhook-endpoints/{endpoint_id}', { as, params }))[1].data.url).toBe(
    url,
  );
  expect((await h.call('POST /webhook-endpoints/{endpoint_id}/test', { as, params }))[0]).toBe(200);
  await h.drain();
  const tables = await run<{ name: string }>(
    h.db,
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    [],
  );
  const found = [];
  for (const { name } of tables) {
    const rows = await run(h.db, `select from ${name} t where t::text ~ 'zebra' limit 1`, []);
    if (rows.length > 0) found.push(name);
  }
  // There it has to be in the clear: deliveries use it, and its owner sees it.
  expect([tables.length > 50, found]).toEqual([true, ['webhooks.endpoints']]);
  expect(h.logs.join()).not.toMatch(/zebra/);
});
