import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { extauthSimulator } from '#sandbox/providers/extauth/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';
import { type ExtauthSettings, extauthSettings, externalLogin } from './adapter.ts';

const APP = 'test-app';
const sandbox = await testSandbox(
  extauthSimulator({ EXTAUTH_APP_ID: APP, EXTAUTH_APP_SECRET: 'app-secret' }),
);
const settings: ExtauthSettings = {
  url: () => `${sandbox.url}/extauth`,
  jwksUrl: () => `${sandbox.url}/extauth/api/v1/apps/${APP}/jwks.json`,
  appId: APP,
  appSecret: 'app-secret',
  clock: sandbox.clock,
};

const issue = async (body: Record<string, unknown>): Promise<string> => {
  const reply = await sandbox.control('POST /extauth/tokens', {
    ext_user_id: 'did:privy:1',
    provider: 'email',
    ...body,
  });
  return (reply.body as { token: string }).token;
};
const arm = (kind: string, times = 1, ms = 20) =>
  sandbox.control('POST /faults', { provider: 'extauth', kind, times, ms });

beforeEach(async () => {
  await sandbox.control('DELETE /faults');
});

describe('the provider’s keys', () => {
  const watched = () => {
    const calls: string[] = [];
    const jwksUrl = () => {
      calls.push('keys');
      return settings.jwksUrl();
    };
    return { calls, login: externalLogin({ ...settings, jwksUrl }) };
  };

  it('are fetched once for many tokens at once, and again after ten minutes', async () => {
    const { calls, login } = watched();
    const token = await issue({ expires_in: 3600 });
    await Promise.all(Array.from({ length: 20 }, () => login.verify(token)));
    expect(calls).toHaveLength(1);
    await sandbox.control('POST /clock', { advance_s: 601 });
    expect((await login.verify(token)).kind).toBe('done');
    expect(calls).toHaveLength(2);
  });

  it('are not fetched again for each made-up key id', async () => {
    const { calls, login } = watched();
    await login.verify(await issue({}));
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    for (let n = 0; n < 5; n += 1) {
      const token = await new SignJWT({ sub: 'a' })
        .setProtectedHeader({ alg: 'ES256', kid: `made-up-${n}` })
        .sign(privateKey);
      expect(await login.verify(token)).toMatchObject({ code: 'UNKNOWN_KEY' });
    }
    expect(calls).toHaveLength(1);
    await sandbox.control('POST /clock', { advance_s: 31 });
    const late = await new SignJWT({ sub: 'a' })
      .setProtectedHeader({ alg: 'ES256', kid: 'made-up' })
      .sign(privateKey);
    await login.verify(late);
    await login.verify(late);
    expect(calls).toHaveLength(2);
  });

  for (const kind of ['delay', 'refuse', 'drop', 'commit-then-drop', 'error'])
    it(`are requested a second time after one ${kind}`, async () => {
      const token = await issue({});
      await arm(kind);
      expect((await externalLogin(settings).verify(token)).kind).toBe('done');
    });

  it('that cannot be fetched leave a token unknown, until they can', async () => {
    const token = await issue({});
    const login = externalLogin(settings);
    await arm('error', 2);
    expect((await login.verify(token)).kind).toBe('unknown');
    expect((await login.verify(token)).kind).toBe('done');
  });

  it('count when old, if none newer can be fetched', async () => {
    const login = externalLogin(settings);
    const token = await issue({ expires_in: 3600 });
    await login.verify(token);
    await sandbox.control('POST /clock', { advance_s: 601 });
    await arm('refuse', 2);
    expect((await login.verify(token)).kind).toBe('done');
  });

  it('are the stand-in’s, else the provider’s, unless an address is configured', () => {
    const jwksUrl = (env: Record<string, string>, url: string) =>
      extauthSettings(
        loadConfig({ EXTAUTH_APP_ID: 'app', ...env }),
        sandbox.clock,
        () => url,
      ).jwksUrl();
    const real = { EXTAUTH_URL: 'https://api.privy.io' };
    const published = 'https://auth.privy.io/api/v1/apps/app/jwks.json';
    expect(jwksUrl({}, 'http://localhost:3001/extauth')).toBe(
      'http://localhost:3001/extauth/api/v1/apps/app/jwks.json',
    );
    expect(jwksUrl(real, 'https://api.privy.io')).toBe(published);
    expect(jwksUrl({}, '')).toBe(published);
    expect(jwksUrl({ ...real, EXTAUTH_JWKS_URL: 'https://keys.example/' }, '')).toBe(
      'https://keys.example/',
    );
  });
});
