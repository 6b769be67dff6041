import { createHmac, generateKeyPairSync } from 'node:crypto';
import { importJWK, type JWTPayload, SignJWT } from 'jose';
import { beforeEach, expect, test } from 'vitest';
import { enter, newAccount, signingKey, tokenOf } from '#test/external-login.ts';
import { harness } from '#test/harness.ts';

const h = await harness();
await h.operator();
const APP = h.kernel.config.EXTAUTH_APP_ID;
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
const refused = (reason: string) => [
  401,
  { success: false, error: { code: 'AUTHENTICATION_FAILED', details: { reason } } },
];
const claims = (): JWTPayload => ({
  iss: 'privy.io',
  aud: APP,
  sub: 'did:privy:victim',
  iat: h.clock.seconds(),
  exp: h.clock.seconds() + 60,
  linked_accounts: '[]',
});
const users = async () => (await h.db.selectFrom('users').select('user_id').execute()).length;

beforeEach(async () => {
  await h.sandbox('DELETE', '/faults');
});

test('the token may come in the Authorization header, with or without its scheme', async () => {
  const token = await tokenOf(h, newAccount());
  for (const authorization of [`Bearer ${token}`, `bearer ${token}`, token]) {
    const [status] = await h.call('POST /extauth/auth/login', { headers: { authorization } });
    expect(status).toBe(200);
  }
});

test('a request without a usable token is MISSING_TOKEN', async () => {
  const missing = [400, { success: false, error: { code: 'MISSING_TOKEN' } }];
  const bodies = [undefined, {}, { ext_token: '' }, { ext_token: ' ' }, { ext_token: null }];
  for (const body of [...bodies, { ext_token: 7 }, { ext_token: ['x'] }])
    expect(await h.call('POST /extauth/auth/login', { body })).toMatchObject(missing);
  for (const authorization of ['Bearer', 'Bearer '])
    expect(await h.call('POST /extauth/auth/login', { headers: { authorization } })).toMatchObject(
      missing,
    );
  const as = await h.user();
  for (const id of ['POST /extauth/auth/link', 'POST /extauth/auth/link-wallet'] as const)
    expect(await h.call(id, { as, body: {} })).toMatchObject(missing);
});

test('an API key is required, and a log-in token where the contract says so', async () => {
  const body = { ext_token: await tokenOf(h, newAccount()) };
  expect(await h.call('POST /extauth/auth/login', { as: 'nobody', body })).toMatchObject([
    401,
    { success: false, error: { code: 'API_KEY_MISSING' } },
  ]);
  // The provider's token is none of ours.
  const as = { token: body.ext_token };
  expect(await h.call('POST /extauth/auth/link', { as, body })).toMatchObject([
    401,
    { error: { code: 'TOKEN_INVALID' } },
  ]);
});

test('a token that the provider did not issue for us registers and logs in no user', async () => {
  await tokenOf(h, { id: 'did:privy:victim' });
  const { kid, privateJwk } = await signingKey(h);
  const theirs = await importJWK(privateJwk, 'ES256');
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const sign = (payload: JWTPayload, header: object, key: Parameters<SignJWT['sign']>[0]) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'ES256', ...header }).sign(key);
  const [header, , signature] = (await sign(claims(), { kid }, theirs)).split('.');
  const unsigned = `${encode({ alg: 'HS256', kid })}.${encode(claims())}`;
  const mac = createHmac('sha256', JSON.stringify(privateJwk)).update(unsigned).digest('base64url');
  const late = { ...claims(), iat: 1, exp: h.clock.seconds() - 1 };
  const early = { ...claims(), nbf: h.clock.seconds() + 300 };
  const attacks: [string, string][] = [
    [`${encode({ alg: 'none' })}.${encode(claims())}.`, 'ALGORITHM'],
    [`${unsigned}.${mac}`, 'ALGORITHM'],
    [await sign(claims(), { kid }, own), 'SIGNATURE'],
    [await sign(claims(), { kid: 'mine' }, own), 'UNKNOWN_KEY'],
    [`${header}.${encode({ ...claims(), sub: 'did:privy:admin' })}.${signature}`, 'SIGNATURE'],
    [await sign({ ...claims(), aud: 'another-app' }, { kid }, theirs), 'AUDIENCE'],
    [await sign({ ...claims(), iss: 'evil.example' }, { kid }, theirs), 'ISSUER'],
    [await sign(late, { kid }, theirs), 'EXPIRED'],
    [await sign(early, { kid }, theirs), 'NOT_YET_VALID'],
    [await sign({ ...claims(), sub: '' }, { kid }, theirs), 'MALFORMED'],
    ['no token at all', 'MALFORMED'],
    ['x'.repeat(20_000), 'MALFORMED'],
  ];
  const before = await users();
  for (const [token, reason] of attacks)
    expect(await enter(h, token), reason).toMatchObject(refused(reason));
  const as = await h.user();
  for (const id of ['POST /extauth/auth/link', 'POST /extauth/auth/link-wallet'] as const)
    for (const [ext_token, reason] of attacks.slice(0, 5))
      expect(await h.call(id, { as, body: { ext_token } })).toMatchObject(refused(reason));
  expect(await users()).toBe(before + 1);
});

test('the provider’s name of a user is cleaned of deceptive text', async () => {
  await tokenOf(h, { id: 'did:privy:named' });
  const { kid, privateJwk } = await signingKey(h);
  const key = await importJWK(privateJwk, 'ES256');
  const names = [
    ['  Ana\u202e\t\u0000 @Maria \ud83d\ude00 ', 'Ana Maria \ud83d\ude00'],
    ['\ud83d\ude00'.repeat(100), '\ud83d\ude00'.repeat(64)],
    ['@@', expect.stringMatching(/^ext-[0-9a-f]{8}$/)],
  ];
  for (const [i, [display_name, username]] of names.entries()) {
    const account = { type: 'farcaster', display_name, lv: 1 };
    const token = await new SignJWT({
      ...claims(),
      sub: `did:privy:named-${i}`,
      linked_accounts: JSON.stringify([account]),
    })
      .setProtectedHeader({ alg: 'ES256', kid })
      .sign(key);
    const [status, body] = await enter(h, token);
    expect([status, body.data.user.username]).toEqual([200, username]);
  }
});

test('a token is good until it expires, by the service’s clock', async () => {
  const token = await tokenOf(h, newAccount({ expires_in: 120 }));
  expect((await enter(h, token))[0]).toBe(200);
  await h.advance(121);
  const answer = await enter(h, token);
  expect(answer).toMatchObject(refused('EXPIRED'));
  expect(answer[1].error.message).toBe('External token has expired');
});

test('a token without accounts is completed by a call to the provider', async () => {
  const account = newAccount({ kind: 'access' });
  const [status, body] = await enter(h, await tokenOf(h, account));
  expect([status, body.data.user.email]).toEqual([200, account.email]);
});

test.each(['refuse', 'drop', 'error', 'commit-then-drop'])(
  'while the provider fails with %s, the log-in is 503 and stores nothing; then it works',
  async (kind) => {
    const account = newAccount({ kind: 'access' });
    const token = await tokenOf(h, account);
    const before = await users();
    await h.sandbox('POST', '/faults', { provider: 'extauth', kind, times: 10 });
    const { status, body, headers } = await h.send('POST /extauth/auth/login', {
      body: { ext_token: token },
    });
    expect([status, body.error.code]).toEqual([503, 'PROVIDER_UNAVAILABLE']);
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await users()).toBe(before);
    await h.sandbox('DELETE', '/faults');
    expect((await enter(h, token))[0]).toBe(200);
  },
);

test('the log-in waits for a slow provider', async () => {
  const token = await tokenOf(h, newAccount({ kind: 'access' }));
  await h.sandbox('POST', '/faults', { provider: 'extauth', kind: 'delay', ms: 200 });
  expect((await enter(h, token))[0]).toBe(200);
});
