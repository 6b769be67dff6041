import { createHmac, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import { exportSPKI, importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { extauthSimulator } from '#sandbox/providers/extauth/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { type ExtauthSettings, externalLogin } from './adapter.ts';
import { readAccountsClaim, toIdentity } from './wire.ts';

const APP = 'test-app';
const credentials = { EXTAUTH_APP_ID: APP, EXTAUTH_APP_SECRET: 'app-secret' };
const sandbox = await testSandbox(extauthSimulator(credentials));
const settings: ExtauthSettings = {
  url: () => `${sandbox.url}/extauth`,
  jwksUrl: () => `${sandbox.url}/extauth/api/v1/apps/${APP}/jwks.json`,
  appId: APP,
  appSecret: credentials.EXTAUTH_APP_SECRET,
  clock: sandbox.clock,
};
const provider = externalLogin(settings);

const issue = async (body: Record<string, unknown>): Promise<string> => {
  const reply = await sandbox.control('POST /extauth/tokens', {
    ext_user_id: 'did:privy:1',
    provider: 'email',
    ...body,
  });
  expect(reply.status).toBe(200);
  return (reply.body as { token: string }).token;
};
const arm = (kind: string, times = 1, ms = 20) =>
  sandbox.control('POST /faults', { provider: 'extauth', kind, times, ms });
const keySet = async (): Promise<JWK> => {
  const reply = await fetch(settings.jwksUrl());
  const { keys } = (await reply.json()) as { keys: JWK[] };
  const [key] = keys;
  if (!key) throw new Error('No key');
  return key;
};
const WALLET = '0xAbC0000000000000000000000000000000000001';

beforeEach(async () => {
  await sandbox.control('DELETE /faults');
});

async function identityOf(fields: Record<string, unknown>) {
  const outcome = await provider.verify(await issue(fields));
  if (outcome.kind !== 'done') throw new Error(`The token is not believed: ${outcome.kind}`);
  return outcome.value;
}

describe('a token of the provider', () => {
  it('identifies a person and their proof', async () => {
    const token = await issue({ email: 'Ana@Example.com', wallets: [WALLET] });
    expect(await provider.verify(token)).toMatchObject({
      kind: 'done',
      value: {
        extUserId: 'did:privy:1',
        authProvider: 'email',
        email: 'ana@example.com',
        wallets: [WALLET],
        issuedAt: expect.stringMatching(/Z$/),
      },
    });
  });

  it('names a wallet or a social provider if that was proven last', async () => {
    const wallet = await issue({ provider: 'wallet', wallets: [WALLET], email: 'a@example.com' });
    expect(await provider.verify(wallet)).toMatchObject({
      value: { authProvider: 'wallet', email: 'a@example.com', wallets: [WALLET] },
    });
    const google = await issue({ provider: 'google', email: 'g@example.com' });
    expect(await provider.verify(google)).toMatchObject({
      value: { authProvider: 'google', email: 'g@example.com', wallets: [] },
    });
    const cast = await issue({ provider: 'farcaster' });
    expect(await provider.verify(cast)).toMatchObject({ value: { authProvider: 'farcaster' } });
  });

  it('has the requested wallets, and none for an empty list', async () => {
    for (const provider of ['wallet', 'google', 'email'])
      expect((await identityOf({ provider, wallets: [] })).wallets).toEqual([]);
    expect((await identityOf({ provider: 'wallet' })).wallets).toHaveLength(1);
    expect((await identityOf({ provider: 'email' })).wallets).toEqual([]);
  });

  it('without accounts is completed by a look-up', async () => {
    const token = await issue({ ext_user_id: 'did:privy:2', kind: 'access', wallets: [WALLET] });
    expect(await provider.verify(token)).toMatchObject({
      kind: 'done',
      value: { extUserId: 'did:privy:2', wallets: [WALLET], authProvider: 'email' },
    });
  });

  it('is valid until it expires, by the service’s own clock', async () => {
    const token = await issue({ expires_in: 120 });
    expect((await provider.verify(token)).kind).toBe('done');
    await sandbox.control('POST /clock', { advance_s: 121 });
    expect(await provider.verify(token)).toMatchObject({ kind: 'refused', code: 'EXPIRED' });
    expect(await provider.verify(await issue({ expires_in: -5 }))).toMatchObject({
      code: 'EXPIRED',
    });
  });

  it('is valid under a key from the configuration, without any call', async () => {
    const token = await issue({});
    const key = await importJWK(await keySet(), 'ES256');
    const pem = await exportSPKI(key as Parameters<typeof exportSPKI>[0]);
    const offline = { ...settings, jwksUrl: () => 'http://127.0.0.1:1/' };
    for (const verificationKey of [pem, pem.trim().replaceAll('\n', '\\n')]) {
      const fixed = externalLogin({ ...offline, verificationKey });
      expect((await fixed.verify(token)).kind).toBe('done');
    }
    const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const other = externalLogin({
      ...offline,
      verificationKey: foreign.export({ type: 'spki', format: 'pem' }).toString(),
    });
    expect(await other.verify(token)).toMatchObject({ code: 'SIGNATURE' });
    const broken = externalLogin({ ...offline, verificationKey: 'no key' });
    expect(await broken.verify(token)).toMatchObject({ code: 'NOT_CONFIGURED' });
  });
});

describe('a refused token', () => {
  const now = () => sandbox.clock.seconds();
  const right = (): JWTPayload => ({
    iss: 'privy.io',
    aud: APP,
    sub: 'did:privy:1',
    iat: now(),
    exp: now() + 60,
    linked_accounts: '[]',
  });
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const sign = (claims: JWTPayload, header: object, key: KeyObject | Uint8Array) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(key);
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const codeOf = async (token: string) => {
    const outcome = await provider.verify(token);
    return outcome.kind === 'refused' ? outcome.code : outcome.kind;
  };
  /** The simulator's own key, to sign what the provider never would. */
  const theirs = async (claims: JWTPayload) => {
    const stored = await sandbox.world.records.get<{ kid: string; privateJwk: JWK }>(
      'extauth',
      'key',
      'signing',
    );
    if (!stored) throw new Error('No key yet');
    const key = await importJWK(stored.privateJwk, 'ES256');
    return sign(claims, { kid: stored.kid }, key as Uint8Array);
  };

  it('is without a signature, or signed with the public key as a shared secret', async () => {
    const { kid, ...jwk } = await keySet();
    const claims = encode(right());
    expect(await codeOf(`${encode({ alg: 'none', kid })}.${claims}.`)).toBe('ALGORITHM');
    const spki = await exportSPKI((await importJWK(jwk, 'ES256')) as never);
    const secrets = [spki, JSON.stringify(jwk), jwk.x ?? ''];
    for (const secret of secrets) {
      const signed = `${encode({ alg: 'HS256', kid })}.${claims}`;
      const mac = createHmac('sha256', secret).update(signed).digest('base64url');
      expect(await codeOf(`${signed}.${mac}`)).toBe('ALGORITHM');
    }
  });

  it('is signed by a stranger, under the provider’s key id or an unknown one', async () => {
    const { kid } = await keySet();
    expect(await codeOf(await sign(right(), { kid }, own.privateKey))).toBe('SIGNATURE');
    expect(await codeOf(await sign(right(), { kid: 'other' }, own.privateKey))).toBe('UNKNOWN_KEY');
    expect(await codeOf(await sign(right(), {}, own.privateKey))).toBe('UNKNOWN_KEY');
  });

  it('was changed after its signature', async () => {
    const [header, , signature] = (await theirs(right())).split('.');
    const changed = encode({ ...right(), sub: 'did:privy:admin' });
    expect(await codeOf(`${header}.${changed}.${signature}`)).toBe('SIGNATURE');
  });

  it('is of another issuer, for another app, from the future, or lacks a claim', async () => {
    const { sub, exp, iat, ...rest } = right();
    const codes = await Promise.all([
      theirs({ ...right(), iss: 'evil.example' }).then(codeOf),
      theirs({ ...right(), aud: 'another-app' }).then(codeOf),
      theirs({ ...right(), iat: now() + 600 }).then(codeOf),
      theirs({ ...right(), nbf: now() + 600 }).then(codeOf),
      theirs({ ...rest, exp, iat } as JWTPayload).then(codeOf),
      theirs({ ...rest, sub, iat } as JWTPayload).then(codeOf),
      theirs({ ...rest, sub, exp } as JWTPayload).then(codeOf),
      theirs({ ...right(), exp: 1e300 }).then(codeOf),
      theirs({ ...right(), sub: 'x'.repeat(256) }).then(codeOf),
    ]);
    expect(codes).toEqual([
      'ISSUER',
      'AUDIENCE',
      'NOT_YET_VALID',
      'NOT_YET_VALID',
      'MALFORMED',
      'MALFORMED',
      'MALFORMED',
      'MALFORMED',
      'MALFORMED',
    ]);
  });

  it('is no token at all', async () => {
    const junk = [
      '',
      'x',
      'a.b.c',
      '..',
      'x'.repeat(20_000),
      randomBytes(64).toString('base64url'),
    ];
    for (const text of junk) expect(await codeOf(text)).toBe('MALFORMED');
  });

  it('is every token while no app is configured', async () => {
    const none = externalLogin({ ...settings, appId: '' });
    const token = await theirs({ ...right(), aud: '' });
    expect(await none.verify(token)).toMatchObject({ code: 'NOT_CONFIGURED' });
  });
});

describe('a user', () => {
  it('is found with the app’s credentials only, and need not exist', async () => {
    await issue({ ext_user_id: 'did:privy:9', email: 'nine@example.com' });
    expect(await provider.user('did:privy:9')).toMatchObject({
      value: { extUserId: 'did:privy:9', email: 'nine@example.com' },
    });
    expect(await provider.user('did:privy:none')).toMatchObject({ code: 'NO_SUCH_USER' });
    const other = externalLogin({ ...settings, appSecret: 'wrong' });
    expect(await other.user('did:privy:9')).toMatchObject({ code: 'NOT_CONFIGURED' });
  });

  it('is not found if the provider answers with another one', async () => {
    const token = await issue({ ext_user_id: 'did:privy:asked', kind: 'access' });
    await sandbox.world.records.update<{ id: string }>(
      'extauth',
      'user',
      'did:privy:asked',
      (user) => ({ ...user, id: 'did:privy:other' }),
    );
    expect(await provider.verify(token)).toMatchObject({ kind: 'unknown' });
  });

  for (const kind of ['refuse', 'drop', 'commit-then-drop', 'error'])
    it(`is unknown while the provider goes on to ${kind}`, async () => {
      await arm(kind, 2);
      expect((await provider.user('did:privy:9')).kind).toBe('unknown');
    });
});

describe('linked accounts', () => {
  it('of unknown kinds, embedded wallets and unproven addresses do not mislead', () => {
    const identity = toIdentity('did:privy:1', [
      null,
      'text',
      { type: 'wallet', address: '0x1', wallet_client_type: 'privy', lv: 900 },
      { type: 'smart_wallet', address: '0x2', lv: 950 },
      { type: 'discord_oauth', email: 'someone@else.example', username: 'ana', lv: 100 },
      { type: 'email', address: 'ana@example.com', lv: 50 },
      { type: 'brand_new_thing', lv: 10 },
    ]);
    expect(identity).toEqual({
      extUserId: 'did:privy:1',
      authProvider: 'discord',
      email: 'ana@example.com',
      wallets: ['0x1'],
      displayName: 'ana',
    });
  });

  it('come as JSON within the claim, and any other form counts as none', () => {
    expect(readAccountsClaim('[{"type":"email"}]')).toEqual([{ type: 'email' }]);
    for (const claim of [undefined, 'x', '{}', 5, null])
      expect(readAccountsClaim(claim)).toBeUndefined();
  });
});

it('refuses a malformed control', async () => {
  for (const body of [
    {},
    { ext_user_id: 'a' },
    { ext_user_id: 'a', provider: 'No Such' },
    { ext_user_id: 'a', provider: 'email', email: 'nobody' },
    { ext_user_id: 'a', provider: 'wallet', wallets: 'x' },
    { ext_user_id: 'a', provider: 'email', expires_in: 'soon' },
  ])
    expect((await sandbox.control('POST /extauth/tokens', body)).status).toBe(400);
});
