import { expect, test } from 'vitest';
import { loadConfig, SETTINGS } from '#kernel/config/config.ts';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { PRODUCTION_SECRETS } from './config-rules.ts';

const PRODUCTION = {
  NODE_ENV: 'production',
  DATABASE_URL: 'postgres://archipay@database.example/archipay',
  ...newSecrets(),
};

test('everything that is wrong is named at once', () => {
  expect(() => loadConfig({ PORT: 'abc', MOCK_MODE: 'maybe', RATE_LIMITS: 'some' })).toThrow(
    /PORT .*MOCK_MODE .*RATE_LIMITS /s,
  );
});

test('an empty value counts as not set', () => {
  expect(loadConfig({ PORT: '', DATABASE_URL: '' })).toMatchObject({ PORT: 3000 });
});

test.each(PRODUCTION_SECRETS)('production does not start without %s', (name) => {
  expect(() => loadConfig({ ...PRODUCTION, [name]: undefined })).toThrow(`needs ${name}`);
});

test.each([
  ['MASTER_KEY', `1:${'A'.repeat(43)}=`],
  ['JWT_SECRET', 'a'.repeat(36)],
  ['EVM_MNEMONIC', `${'test '.repeat(11)}junk`],
])('production refuses a %s that is no secret, and says how to make one', (name, value) => {
  expect(() => loadConfig({ ...PRODUCTION, [name]: value })).toThrow(
    new RegExp(`: ${name} [^;]*npm run secrets`),
  );
  // It is good enough for a machine that everybody may get at.
  expect(loadConfig({ [name]: value })).toHaveProperty(name, value);
});

test('words that no wallet takes are refused everywhere', () => {
  const EVM_MNEMONIC = 'abandon '.repeat(12);
  for (const settings of [{}, PRODUCTION])
    expect(() => loadConfig({ ...settings, EVM_MNEMONIC })).toThrow('EVM_MNEMONIC');
});

test('production uses the embedded database only where that is said', () => {
  const without = { ...PRODUCTION, DATABASE_URL: undefined };
  for (const settings of [without, { ...without, EMBEDDED_DATABASE: 'refuse' }])
    expect(() => loadConfig(settings)).toThrow(/DATABASE_URL.*EMBEDDED_DATABASE=allow/);
  expect(loadConfig({ ...without, EMBEDDED_DATABASE: 'allow' })).toHaveProperty('MOCK_MODE', false);
  expect(loadConfig({})).toHaveProperty('NODE_ENV', 'development');
  expect(() => loadConfig({ EMBEDDED_DATABASE: 'refuse' })).toThrow('DATABASE_URL');
});

test('the console is there in production only by HTTPS, and asks for a second factor there', () => {
  const inWord = ({ CONSOLE, OPERATOR_2FA }: ReturnType<typeof loadConfig>) => [
    CONSOLE,
    OPERATOR_2FA,
  ];
  const https = { ...PRODUCTION, PUBLIC_URL: 'https://pay.example' };
  expect(inWord(loadConfig({}))).toEqual(['on', 'optional']);
  expect(inWord(loadConfig(PRODUCTION))).toEqual(['off', 'required']);
  expect(inWord(loadConfig(https))).toEqual(['on', 'required']);
  expect(inWord(loadConfig({ ...https, CONSOLE: 'off' }))).toEqual(['off', 'required']);
  // The earlier name counts where the new one says nothing.
  expect(inWord(loadConfig({ ...https, CONSOLE_2FA: 'optional' }))).toEqual(['on', 'optional']);
  const both = { ...https, CONSOLE_2FA: 'optional', OPERATOR_2FA: 'required' };
  expect(inWord(loadConfig(both))).toEqual(['on', 'required']);
  for (const PUBLIC_URL of ['http://pay.example', undefined])
    expect(() => loadConfig({ ...PRODUCTION, PUBLIC_URL, CONSOLE: 'on' })).toThrow(
      /CONSOLE=on .*https/,
    );
});

test('everything that production lacks is named at once', () => {
  expect(() =>
    loadConfig({ NODE_ENV: 'production', MOCK_MODE: 'true', JWT_SECRET: 'a'.repeat(36) }),
  ).toThrow(/MOCK_MODE.*MASTER_KEY, EVM_MNEMONIC.*JWT_SECRET.*DATABASE_URL/s);
});

test('production is never in mock mode, and everything else is unless configured otherwise', () => {
  expect(() => loadConfig({ ...PRODUCTION, MOCK_MODE: 'true' })).toThrow('MOCK_MODE');
  expect(loadConfig(PRODUCTION)).toMatchObject({ MOCK_MODE: false, PROFILE_OTP: 'required' });
  expect(loadConfig({})).toMatchObject({ MOCK_MODE: true, PROFILE_OTP: 'off' });
});

test('in production a number alone is no log-in to the rewards app, unless configured otherwise', () => {
  expect(loadConfig(PRODUCTION)).toMatchObject({ REWARDS_LOGIN_CODE: 'required' });
  const off = { REWARDS_LOGIN_CODE: 'off' };
  expect(loadConfig({ ...PRODUCTION, ...off })).toMatchObject(off);
  for (const MOCK_MODE of ['true', 'false']) expect(loadConfig({ MOCK_MODE })).toMatchObject(off);
  expect(loadConfig({ REWARDS_LOGIN_CODE: 'required' }).REWARDS_LOGIN_CODE).toBe('required');
});

test('in production posted private keys are refused, unless configured otherwise', () => {
  expect(loadConfig(PRODUCTION)).toMatchObject({ BURN_WITH_PRIVATE_KEY: 'off' });
  const on = { BURN_WITH_PRIVATE_KEY: 'on' };
  expect(loadConfig({ ...PRODUCTION, ...on })).toMatchObject(on);
  for (const MOCK_MODE of ['true', 'false']) expect(loadConfig({ MOCK_MODE })).toMatchObject(on);
  expect(loadConfig({ BURN_WITH_PRIVATE_KEY: 'off' }).BURN_WITH_PRIVATE_KEY).toBe('off');
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
