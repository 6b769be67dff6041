import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig, SETTINGS } from '#kernel/config/config.ts';
import { testDatabase } from './database.ts';
import { runFolder } from './run-folder.ts';

/** The messages about wrong settings, through the start itself. */

const folder = await runFolder();
const listener = createServer().listen(0, '127.0.0.1');
await once(listener, 'listening');
const taken = (listener.address() as { port: number }).port;
const noPem = join(folder, 'no.pem');
await writeFile(noPem, 'hello');
const database = await testDatabase();
afterAll(async () => {
  listener.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

type Settings = Readonly<Record<string, string>>;

/** The output of a failed start; empty if the test ended it. */
async function refusal(settings: Settings): Promise<string[]> {
  const child = spawn(process.execPath, ['scripts/start.mjs'], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      DATA_DIR: folder,
      PORT: '0',
      SANDBOX_PORT: '0',
      SANDBOX_SMTP_PORT: '0',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code, said).toBe(1);
  return said.trimEnd().split('\n');
}

const CHECKSUM = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD';
const URL_RULE =
  'must be an address that begins with https:// or http://, such as https://pay.example';

/** A setting's wrong value, and the message about it. */
const VALUES: Readonly<Record<string, readonly [value: string, said: string]>> = {
  NODE_ENV: ['prod', 'must be development, test or production, not "prod"'],
  ROLE: ['server', 'must be api, worker or all, not "server"'],
  LOG_LEVEL: ['verbose', 'must be trace, debug, info, warn, error or silent, not "verbose"'],
  RATE_LIMITS: ['false', 'must be on or off, not "false"'],
  MOCK_MODE: ['maybe', 'must be true or false, not "maybe"'],
  EXCHANGE_ID: ['binance', 'must be tokocrypto, not "binance"'],
  PORT: ['abc', 'must be a whole number from 0 to 65535, not "abc"'],
  JWT_TTL: ['5', 'must be a whole number of 60 or more, not "5"'],
  PUBLIC_URL: ['pay.example', URL_RULE],
  SMS_URL: ['ftp://sms.example', URL_RULE],
  DATABASE_URL: [
    'mysql://somewhere',
    'must be the address of a PostgreSQL, such as postgres://user:password@localhost:5432/archipay',
  ],
  REDIS_URL: ['localhost', 'must be the address of a Redis, such as redis://localhost:6379'],
  SMTP_URL: [
    'mail.example',
    'must be the address of a mail server that begins with smtp:// or smtps://, ' +
      'such as smtp://user:password@mail.example:587',
  ],
  XRPL_URL: [
    'https://xrpl.example',
    'must be an address that begins with wss:// or ws://, such as wss://s.altnet.rippletest.net:51233',
  ],
  BUILD_COMMIT: [
    'main',
    'must be 7 or more hexadecimal digits, as git rev-parse HEAD prints them, such as 3a0362d',
  ],
  MASTER_KEY: [
    'abc',
    'must be version:base64 of 32 bytes, the newest first, separated by commas; ' +
      'make one with: echo "1:$(openssl rand -base64 32)"',
  ],
  JWT_SECRET: ['short', 'must have 32 characters or more; make one with: openssl rand -base64 48'],
  EVM_MNEMONIC: [
    'legal winner thank year wave sausage worth',
    'is no BIP-39 mnemonic: a word is wrong or missing, or the last one does not fit the others ' +
      '(npm run secrets prints new ones)',
  ],
  BOOTSTRAP_ADMIN_EMAIL: ['root', 'must be an e-mail address, such as ops@pay.example'],
  BOOTSTRAP_ADMIN_PASSWORD: [
    'short',
    'must have 10 characters or more; make one with: openssl rand -base64 18',
  ],
  WHATSAPP_TEMPLATE: ['News', 'must be name:language of an approved template, such as news:en_US'],
  CORS_ORIGINS: [
    'example.com',
    'must be origins with their scheme and without a path, separated by commas, or *, ' +
      'such as https://app.example,http://localhost:5173',
  ],
  TRUST_PROXY: [
    'yes',
    'has an invalid IP address: yes; it must be how many proxies there are, or their addresses ' +
      'and networks, such as 1 or 10.0.0.0/8,192.0.2.7',
  ],
  DIAL_CODES: [
    '+62',
    'must be beginnings of numbers without +, with how many a day where wanted, ' +
      'separated by commas, such as 62,65,1:500,1876:0',
  ],
  REWARDS_DIAL_CODE: ['+62', 'must be the dial code of a country without +, such as 62'],
  EXCHANGE_BANK: [
    'BCA',
    'must be bank code:account number:name of the account, such as BCA:88010000000001:Exchange Ltd',
  ],
  CARD_ACQUIRING_BIN: [
    '12',
    'must be the six digits that the card network gave you, such as 408999',
  ],
  PURCHASE_CHAIN: ['No Chain', 'must be the id of a chain, such as neon'],
};

const values: string[] = [];
beforeAll(async () => {
  const wrong = Object.fromEntries(Object.entries(VALUES).map(([name, [value]]) => [name, value]));
  values.push(...(await refusal({ ...wrong, DATABSE_URL: 'x', PROT: '1', HOSTNAME: 'here' })));
});

test.each(Object.keys(VALUES))(
  'a wrong %s is answered with what is allowed, in one line of its own',
  (name) => {
    const of = values.filter((line) => line.trim().startsWith(`${name} `));
    expect(of).toEqual([`  ${name} ${VALUES[name]?.[1]}`]);
  },
);

test('messages repeat only values that may be misspelt, and no secret', () => {
  expect(values[0]).toBe('Archipay could not start: Bad configuration:');
  // If the right one is set as well, no misspelling is assumed.
  expect(values).toHaveLength(1 + Object.keys(VALUES).length);
});

test('an unknown name close to an unset setting is reported', async () => {
  const said = await refusal({ ROLE: 'server', DATABSE_URL: 'x', HOSTNAME: 'h', EDITOR: 'vi' });
  expect(said).toEqual([
    'Archipay could not start: Bad configuration:',
    '  ROLE must be api, worker or all, not "server"',
    '  DATABSE_URL is no setting: did you mean DATABASE_URL?',
  ]);
});

test('all faults of the machine are reported at once, ports first', async () => {
  const said = await refusal({
    PORT: String(taken),
    SANDBOX_PORT: String(taken),
    DATA_DIR: '/proc/nope/further',
    EVM_CONTRACTS: JSON.stringify({ sepolia: { usdc: CHECKSUM } }),
    CCTP_CONTRACTS: '{',
    PUSH_ACCOUNT_FILE: join(folder, 'absent.json'),
    CARD_NETWORK_CERT_FILE: noPem,
    CARD_NETWORK_KEY_FILE: folder,
  });
  expect(said).toEqual([
    'Archipay could not start: Bad configuration:',
    `  PORT=${taken}: already in use; set PORT= to another, or stop what listens there`,
    `  SANDBOX_PORT=${taken}: already in use by another program; set SANDBOX_PORT= to another`,
    expect.stringMatching(/^ {2}EVM_CONTRACTS\/sepolia\/usdc must be 0x and 40 .*EIP-55/),
    expect.stringMatching(/^ {2}CCTP_CONTRACTS is not JSON; it is written like \{"sepolia"/),
    '  DATA_DIR=/proc/nope/further: cannot be written, there is no such place; ' +
      'name a folder of this user’s',
    `  PUSH_ACCOUNT_FILE=${join(folder, 'absent.json')}: cannot be read, there is no such place`,
    `  CARD_NETWORK_CERT_FILE=${noPem}: is no PEM file; it has to have a line -----BEGIN …-----`,
    `  CARD_NETWORK_KEY_FILE=${folder}: cannot be read, it is a folder`,
  ]);
});

test('each process needs its ports for itself, at an address of its machine', async () => {
  const both = { PORT: '3999', OPS_PORT: '3999' };
  expect((await refusal(both))[0]).toContain('OPS_PORT=3999: the same as PORT; each needs its own');
  const elsewhere = await refusal({ PORT: '3999', HOST: '192.0.2.1' });
  expect(elsewhere[0]).toContain('HOST=192.0.2.1: no address of this machine; set HOST= to');
});

test('a database that refuses is named with its setting, its place and no password', async () => {
  const url = new URL(database.url);
  const place = `${url.hostname}:${url.port}`;
  url.pathname = '/nowhere';
  expect(await refusal({ DATABASE_URL: url.href })).toEqual([
    `Archipay could not start: DATABASE_URL: the PostgreSQL at ${place} has no database of that ` +
      'name; make it with createdb',
  ]);
});

test('every setting without free text names its values, with a valid example', () => {
  for (const [name, setting] of Object.entries(SETTINGS)) {
    const { pattern, minLength, format, rule, example } = setting as Record<string, unknown>;
    if (pattern ?? minLength ?? format) expect(rule, name).toBeTypeOf('string');
    if (typeof rule !== 'string' || example === undefined) continue;
    const other = { BOOTSTRAP_ADMIN_PASSWORD: 'long enough', BOOTSTRAP_ADMIN_EMAIL: 'a@b.example' };
    const given = name.startsWith('BOOTSTRAP') ? other : { DATABASE_URL: database.url };
    expect(loadConfig({ ...given, [name]: String(example) })).toHaveProperty(name, example);
  }
});
