import { execFile } from 'node:child_process';
import { rm, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { DEMO, seed } from '#src/app/seed.ts';
import { harness } from '../harness.ts';
import { runFolder } from '../run-folder.ts';
import { bundled, gzipped, installed, packedSdk } from './packed.ts';

const h = await harness();
await seed(h.kernel, h.app.features.afterUser);
const folder = await runFolder();
afterAll(() => rm(folder, { recursive: true, force: true }));
const run = promisify(execFile);
const { file, size, unpackedSize } = await packedSdk(folder);
const shop = join(folder, 'shop');
await installed(file, shop);

const WALK = `
import { Archipay, ValidationError, type FiatWallet } from '@archipay/sdk';
import { money } from '@archipay/sdk/money';
import { fileStore } from '@archipay/sdk/node';
import { exampleEvent, signWebhook } from '@archipay/sdk/testing';
import { unwrap } from '@archipay/sdk/webhooks';

const [usernameoremail = '', password = ''] = process.argv.slice(2);
const store = await fileStore('calls.jsonl');
const login = await new Archipay().auth.logIn({ usernameoremail, password });
if (!('token' in login.data)) throw new Error('A second factor is asked for');
const archipay = new Archipay({ exactlyOnce: store }).as(login.data.token);
const opened = await archipay.fiatWallets.open({ currency: 'USD' });
const wallet: FiatWallet = opened.data;
const card = { card_number: '4111111111111111', expiry_date: '1232', currency_code: 'USD' } as const;
const amount = money('60', 'USD').add(money('40.00', 'USD')).toString();
const once = { idempotencyKey: 'first' };
const paid = await archipay.cards.topUp({ ...card, amount }, once);
const again = await archipay.cards.topUp({ ...card, amount }, once);
const lines = await archipay.fiatWallets
  .listTransactions({ wallet_id: wallet.wallet_id })
  .toArray({ limit: 10 });
const declined = await archipay.cards
  .topUp({ ...card, card_number: '4000000000000002', amount })
  .catch((error: unknown) => error);
if (!(declined instanceof ValidationError)) throw new Error('It was taken');
const secret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
const sent = await signWebhook(exampleEvent('payment.succeeded'), secret);
const event = await unwrap(sent.body, sent.headers, { secrets: secret });
await store.end();
console.log(
  JSON.stringify({
    same: paid.data.reference_id === again.data.reference_id,
    lines: lines.map((line) => [line.amount, line.balance_after]),
    declined: [declined.code, declined.outcome],
    event: event.type,
  }),
);
`;

const SETTINGS = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: ['node'],
    typeRoots: [resolve('node_modules/@types')],
  },
};

/** The first Node of the path that this repository has not brought itself, which may be an older one. */
async function otherNode(): Promise<string | undefined> {
  const places = (process.env['PATH'] ?? '').split(delimiter);
  for (const place of places.filter((one) => !one.includes('node_modules'))) {
    const node = join(place, 'node');
    const found = await run(node, ['--version']).catch(() => undefined);
    if (found && Number(found.stdout.slice(1).split('.')[0]) >= 20) return node;
  }
  return undefined;
}

test('the packed package does the main job in an empty folder, in each Node', async () => {
  await writeFile(join(shop, 'walk.ts'), WALK);
  await writeFile(join(shop, 'tsconfig.json'), JSON.stringify(SETTINGS));
  await symlink(resolve('node_modules/@types'), join(shop, 'node_modules/@types'));
  const compiler = resolve('node_modules/typescript/bin/tsc');
  const checked = await run(process.execPath, [compiler, '-p', shop]).catch((error) => error);
  expect(checked.stdout).toBe('');

  const { email, password } = DEMO.user;
  const env = { ...process.env, ARCHIPAY_API_KEY: DEMO.apiKey, ARCHIPAY_URL: h.app.apiUrl() };
  const nodes = [process.execPath, await otherNode()].filter((node) => node !== undefined);
  for (const [nth, node] of nodes.entries()) {
    await rm(join(shop, 'calls.jsonl'), { force: true });
    const { stdout } = await run(node, ['walk.js', email, password], { cwd: shop, env });
    const answer = JSON.parse(stdout);
    expect(answer).toMatchObject({
      same: true,
      declined: ['CARD_DECLINED', 'refused'],
      event: 'payment.succeeded',
    });
    // The service answers the same key again, so that the second run has moved nothing.
    expect([nth, answer.lines]).toEqual([nth, [['97.00', '97.00']]]);
  }
});

/** A tool of npm's over the packed file; it ends with an error where it finds something. */
const checked = (tool: string, args: readonly string[]) =>
  run(process.execPath, [resolve(tool), ...args, file]).catch((failed) =>
    expect.fail(`${failed.stdout}\n${failed.stderr}`),
  );

test('what is published has right entrances and types, by publint and by attw', async () => {
  await checked('node_modules/publint/src/cli.js', ['run', '--strict']);
  await checked('node_modules/@arethetypeswrong/cli/dist/index.js', ['--profile', 'esm-only']);
});

test('the package is small, and so is what a page takes of it', async () => {
  // Four tenths of a kilobyte for each of some 400 operations, with their words and types.
  expect(size).toBeLessThan(170_000);
  expect(unpackedSize).toBeLessThan(1_300_000);
  const all = await bundled(shop, "export { Archipay } from '@archipay/sdk';");
  const one = await bundled(
    shop,
    "export { Caller } from '@archipay/sdk';\nexport { Cards } from '@archipay/sdk/resources';",
  );
  const webhooks = await bundled(shop, "export { WebhookHandler } from '@archipay/sdk/webhooks';");
  expect(gzipped(all)).toBeLessThan(15 * 1024);
  expect(gzipped(one)).toBeLessThan(5.25 * 1024);
  expect(gzipped(webhooks)).toBeLessThan(2.5 * 1024);
});
