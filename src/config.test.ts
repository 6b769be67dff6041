import { expect, test } from 'vitest';
import { loadConfig, PRODUCTION_SECRETS, SETTINGS } from './config.ts';

const SECRETS = {
  MASTER_KEY: `1:${Buffer.alloc(32, 7).toString('base64')}`,
  JWT_SECRET: 'x'.repeat(48),
  EVM_MNEMONIC: 'test test test test test test test test test test test junk',
};
const PRODUCTION = { NODE_ENV: 'production', ...SECRETS };

test('everything that is wrong is named at once', () => {
  expect(() => loadConfig({ PORT: 'abc', MOCK_MODE: 'maybe', RATE_LIMITS: 'some' })).toThrow(
    /PORT .*MOCK_MODE .*RATE_LIMITS /,
  );
});

test('an empty value counts as not set', () => {
  expect(loadConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 });
});

test.each(PRODUCTION_SECRETS)('production does not start without %s', (name) => {
  expect(() => loadConfig({ ...PRODUCTION, [name]: undefined })).toThrow(`needs ${name}`);
});

test('production is never in mock mode, and everything else is unless told otherwise', () => {
  expect(() => loadConfig({ ...PRODUCTION, MOCK_MODE: 'true' })).toThrow('MOCK_MODE');
  expect(loadConfig(PRODUCTION)).toMatchObject({ MOCK_MODE: false, PROFILE_OTP: 'required' });
  expect(loadConfig({})).toMatchObject({ MOCK_MODE: true, PROFILE_OTP: 'off' });
});

test('in production nobody logs in to the rewards app by a number alone, unless told otherwise', () => {
  expect(loadConfig(PRODUCTION)).toMatchObject({ REWARDS_LOGIN_CODE: 'required' });
  const off = { REWARDS_LOGIN_CODE: 'off' };
  expect(loadConfig({ ...PRODUCTION, ...off })).toMatchObject(off);
  for (const MOCK_MODE of ['true', 'false']) expect(loadConfig({ MOCK_MODE })).toMatchObject(off);
  expect(loadConfig({ REWARDS_LOGIN_CODE: 'required' }).REWARDS_LOGIN_CODE).toBe('required');
});

test('production takes none of the public credentials of the sandbox', () => {
  const config: Readonly<Record<string, unknown>> = loadConfig(PRODUCTION);
  const known = Object.entries(SETTINGS).filter(([, setting]) =>
    String(setting.default ?? '').includes('sandbox'),
  );
  expect(known.length).toBeGreaterThan(5);
  for (const [name] of known) expect(String(config[name] ?? ''), name).not.toContain('sandbox');
});

test('the first operator needs both an address and a password', () => {
  const [BOOTSTRAP_ADMIN_EMAIL, BOOTSTRAP_ADMIN_PASSWORD] = ['root@corp.example', 'long enough'];
  for (const half of [{ BOOTSTRAP_ADMIN_EMAIL }, { BOOTSTRAP_ADMIN_PASSWORD }])
    expect(() => loadConfig({ ...PRODUCTION, ...half })).toThrow('BOOTSTRAP_ADMIN_EMAIL');
  const both = { BOOTSTRAP_ADMIN_EMAIL, BOOTSTRAP_ADMIN_PASSWORD };
  expect(loadConfig({ ...PRODUCTION, ...both })).toMatchObject(both);
});
