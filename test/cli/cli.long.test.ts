import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { afterAll, expect, test } from 'vitest';
import { DEMO, seed } from '#src/app/seed.ts';
import { harness } from '../harness.ts';
import { cliOf } from './cli.ts';

const h = await harness({ config: { ROLE: 'all', REQUEST_LOGS: 'on' } });
await seed(h.kernel, h.app.features.afterUser);
const cli = await cliOf(h.kernel.publicUrl());
const fine = { err: '', code: 0 };
const json = async (...words: string[]) => {
  const { out, err, code } = await cli.run([...words, '--json']);
  expect([err, code]).toEqual(['', 0]);
  return out
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
};
const CARD = ['card_number=4111111111111111', 'expiry_date=1239', 'currency_code=USD'];

test('whoever is not logged in is told how, with an exit of its own', async () => {
  const { out, err, code } = await cli.run(['events', 'list']);
  expect([out, code]).toEqual(['', 3]);
  expect(err).toBe(
    'NOT_SIGNED_IN You are not logged in\n  archipay login, or archipay login --demo for a service on this machine\n',
  );
});

test('a log-in is kept where nobody else can read it', async () => {
  const { email, password } = DEMO.admin;
  const { out, code } = await cli.run(['login', '--email', email, '--password', '-'], {
    input: `${password}\n`,
  });
  expect([code, out]).toEqual([0, expect.stringContaining(email)]);
  const file = `${cli.folder}/archipay/credentials.json`;
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file, 'utf8')).not.toContain(password);
  await chmod(file, 0o644);
  const refused = await cli.run(['whoami']);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('chmod 600')]);
  await chmod(file, 0o600);
  const [who] = await json('whoami');
  expect(who).toMatchObject({ profile: 'local', person: email, role: 'admin', client_id: 2 });
});

test('a wrong password is refused with the words of the service', async () => {
  const words = ['login', '--profile', 'other', '--email', 'x@demo.example', '--password', '-'];
  const { err, code } = await cli.run(words, { input: 'wrong' });
  expect(code).toBe(3);
  expect(err).toMatch(/^INVALID_CREDENTIALS .+ \(.+\)\n/);
  const [line] = (await cli.run([...words, '--json'], { input: 'wrong' })).err.split('\n');
  expect(JSON.parse(line ?? '')).toMatchObject({ code: 'INVALID_CREDENTIALS', outcome: 'refused' });
});

test('wrong words are an exit of their own', async () => {
  for (const words of [
    ['nothing'],
    ['events'],
    ['logs', '--nothing'],
    ['api'],
    ['trigger', 'a.b'],
  ]) {
    const { err, code } = await cli.run(words);
    expect([words, code, err.startsWith('USAGE ')]).toEqual([words, 2, true]);
  }
});

test('any call is made by its name or its path, and a dry run does nothing', async () => {
  const [opened] = await json('api', 'fiatWallets.open', 'currency=USD');
  const { wallet_id } = opened.data;
  const [shown] = await json('api', 'cards.topUp', ...CARD, 'amount=10', '--dry-run');
  expect(shown.dry_run).toBe(true);
  const key = ['--idempotency-key', 'cli-1'];
  const [paid] = await json('api', 'POST', '/card-checkout/card', ...CARD, 'amount=10', ...key);
  const [again] = await json('api', 'cards.topUp', ...CARD, 'amount=10', ...key);
  expect(again).toEqual(paid);
  const [statement] = await json(
    'api',
    'GET',
    `/wallets/fiat/${wallet_id}/transactions`,
    'limit=5',
  );
  expect(statement.data.transactions).toHaveLength(1);
  const declined = await cli.run([
    ...['api', 'cards.topUp', 'card_number=4000000000000002', 'expiry_date=1239'],
    ...['currency_code=USD', 'amount=10'],
  ]);
  expect([declined.code, declined.out]).toEqual([1, '']);
  expect(declined.err).toMatch(/^CARD_DECLINED .*\n.*\n.*\/docs\/errors\/CARD_DECLINED\n$/);
  expect((await cli.run(['api', 'GET', '/nothing'])).code).toBe(4);
});

test('a trigger really causes its event, which is shown and listed', async () => {
  const [event] = await json('trigger', 'payment.succeeded');
  expect(event).toMatchObject({ type: 'payment.succeeded', client_id: 2, data: { rail: 'card' } });
  const [found] = await json('events', 'get', event.id);
  expect(found).toEqual(event);
  const rows = await json('events', 'list', '--type', 'payment.*', '--limit', '2');
  expect(rows.map(({ type }) => type.split('.')[0])).toEqual(['payment', 'payment']);
  const missing = await cli.run(['trigger', 'wallet_proof.proven']);
  expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('has no keys')]);
  const moved = await cli.run(['trigger', 'wallet_hold.expired']);
  expect([moved.code, moved.err]).toEqual([2, expect.stringContaining('--move-clock')]);
});

test('events arrive at a port of this machine, signed by the secret of the profile', async () => {
  const { out } = await cli.run(['listen', '--print-secret']);
  const secret = out.trim();
  const heard: unknown[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const body = Buffer.concat(parts).toString();
    heard.push(new Webhook(secret).verify(body, request.headers as Record<string, string>));
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  afterAll(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const words = ['--forward-to', `localhost:${port}/hook`, '--types', 'instance.*', '--count', '2'];
  const listening = cli.start(['listen', ...words]);
  const closed = once(listening, 'close');
  const said = createInterface({ input: listening.stderr as NodeJS.ReadableStream });
  const [connected] = await once(said, 'line');
  expect(connected).toMatch(/^Connected: events after \d+ go to http:\/\/localhost/);
  const lines: string[] = [];
  createInterface({ input: listening.stdout }).on('line', (line) => lines.push(line));
  await json('trigger', 'instance.created');
  const [code] = await closed;
  expect([code, heard]).toMatchObject([
    0,
    [{ type: 'instance.created' }, { type: 'instance.updated' }],
  ]);
  expect(lines[0]).toMatch(/^→ instance.created evt_\w+ \[204\] \d+ ms$/);

  const [{ id }] = heard as [{ id: string }];
  const target = ['--forward-to', `localhost:${port}/hook`];
  expect(await cli.run(['events', 'resend', id, ...target])).toMatchObject(fine);
  expect(heard).toHaveLength(3);
});

test('requests are found again by their id', async () => {
  const asked = await cli.run(['api', 'GET', '/events', 'limit=1', '--verbose']);
  const [, id = ''] = asked.err.split('\n')[0]?.split(' ') ?? [];
  const [found] = await json('logs', 'get', id);
  expect(found).toMatchObject({ request_id: id, method: 'GET', path: '/events', status: 200 });
  const rows = await json('logs', 'list', '--code', 'CARD_DECLINED', '--limit', '1');
  expect(rows).toMatchObject([{ status: 400, error_code: 'CARD_DECLINED' }]);
});

test('pipes get plain lines, a terminal gets columns and colours, unless they are not wanted', async () => {
  const words = ['events', 'list', '--limit', '1'];
  const piped = await cli.run(words);
  expect(piped.out.split('\t')).toHaveLength(4);
  const colour = '\u001b[';
  const shown = await cli.atTerminal(words);
  expect(shown.code).toBe(0);
  expect(shown.out).toContain(`${colour}1mtime`);
  for (const env of [{ NO_COLOR: '1' }, { TERM: 'dumb' }, { CI: 'true' }]) {
    const { out } = await cli.atTerminal(words, env);
    expect([env, out.includes(colour)]).toEqual([env, false]);
  }
  const { out, code } = await cli.atTerminal(['events', 'list', '--nothing']);
  expect([code, out]).toEqual([2, expect.stringContaining('USAGE')]);
});

test('the service, its places and its sandbox are told', async () => {
  const [status] = await json('status');
  expect(status).toMatchObject({ status: 'ready', mock_mode: true, clock: 'right' });
  expect(status.rails.map(({ rail }: { rail: string }) => rail)).toContain('card');
  const { out } = await cli.run(['open', 'error', 'card_declined']);
  expect(out).toBe(`${h.kernel.publicUrl()}/docs/errors/CARD_DECLINED\n`);
  const [before] = await json('sandbox', 'clock');
  const [after] = await json('sandbox', 'clock', '+90s');
  expect(after.offset_s - before.offset_s).toBe(90);
});

test('a shell completes commands, their words and options', async () => {
  const complete = async (...words: string[]) =>
    (await cli.run(['__complete', ...words])).out.trim().split('\n');
  expect(await complete('lo')).toEqual(['login', 'logout', 'logs']);
  expect(await complete('trigger', 'invoice.pai')).toEqual(['invoice.paid']);
  expect(await complete('api', 'cards.top')).toEqual(['cards.topUp', 'cards.topUpCurrency']);
  expect(await complete('listen', '--fo')).toEqual(['--forward-to']);
  const { out } = await cli.run(['completion', 'bash']);
  const script = `archipay() { '${process.execPath}' packages/cli/src/main.ts "$@"; }\n${out}
    COMP_WORDS=(archipay trigger invoice.re); COMP_CWORD=2; _archipay; echo "\${COMPREPLY[@]}"`;
  expect(execFileSync('bash', ['-c', script]).toString()).toBe('invoice.refunded\n');
});

test('a log-out ends the log-in', async () => {
  expect(await cli.run(['logout'])).toMatchObject({ code: 0 });
  expect((await cli.run(['events', 'list'])).code).toBe(3);
});
