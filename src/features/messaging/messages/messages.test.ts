import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { createClock } from '#kernel/clock.ts';
import { loadConfig } from '#kernel/config/config.ts';
import { openDatabase, run } from '#kernel/db/db.ts';
import { composeFeatures } from '#kernel/feature.ts';
import { createJobs } from '#kernel/jobs/jobs.ts';
import { alreadyLocalised } from '#kernel/localised.ts';
import { createLog } from '#kernel/log.ts';
import { createMessageQuotas } from '#kernel/quota/message-quotas.ts';
import { createQuotas } from '#kernel/quota/quota.ts';
import { createVault } from '#kernel/secrets/vault.ts';
import { transact } from '#kernel/transact.ts';
import { ours } from '#kernel/wording.ts';
import { createMessageSenders } from '#providers/messages/adapter.ts';
import { startSandbox } from '#sandbox/host.ts';
import { messageSimulators } from '#sandbox/providers/messages/simulator.ts';
import { testDatabase } from '#test/database.ts';
import { createMessages, type Message } from './messages.ts';

const HOURS_MS = 3_600_000;
const database = await testDatabase();
const { db, pool, close } = openDatabase(database.url);
const clock = createClock();
const logged: string[] = [];
const log = createLog('trace', { write: (line) => void logged.push(line) });
const vault = createVault(`1:${randomBytes(32).toString('base64')}`);
const config = loadConfig({ NODE_ENV: 'test', SANDBOX_SMTP_PORT: '0' });
const { simulators, smtpUrl } = messageSimulators(config);
const jobs = createJobs({ pool, clock, log });
const sandbox = await startSandbox({
  db,
  clock,
  log,
  host: '127.0.0.1',
  port: 0,
  simulators,
  serviceUrl: () => 'http://127.0.0.1:1/api',
  advance,
});
const messageSenders = createMessageSenders(config, { url: () => sandbox.url, smtpUrl });
const messageQuotas = createMessageQuotas(config, createQuotas({ clock, log, config }));
const messages = createMessages({ db, clock, log, vault, jobs, messageSenders, messageQuotas });
const composed = composeFeatures([messages]);
jobs.register(composed.jobs, composed.schedules);
afterAll(async () => {
  await jobs.stop();
  await sandbox.close();
  await close();
  await database.close();
});

async function advance(seconds: number) {
  clock.advance(seconds * 1000);
  await jobs.advance(seconds * 1000);
}

const by = { ip: '192.0.2.1' };
const mail = (to: string, secret: string): Omit<Message, 'kind'> => ({
  channel: 'email',
  to,
  words: alreadyLocalised({
    subject: 'Your password',
    text: ['Welcome.', '', ours(`Password: ${secret}`)],
  }),
  purpose: 'welcome',
});
const line = (text: string) => alreadyLocalised({ text: [ours(text)] });
async function send(message: Omit<Message, 'kind'>): Promise<string> {
  const id = await transact(db, (tx) => messages.send(tx, by, { ...message, kind: 'notice' }));
  return id ?? 'left out';
}
const inbox = async (to: string) =>
  (await (await fetch(`${sandbox.url}/messages?to=${encodeURIComponent(to)}`)).json()) as {
    text: string;
  }[];
const row = async (message_id: string) => {
  const [found] = await run<Record<string, unknown>>(
    db,
    'select * from messages where message_id = $1',
    [message_id],
  );
  return found;
};
const fault = (provider: string, kind: 'error' | 'refuse' | 'commit-then-drop', times: number) =>
  sandbox.world.faults.arm({ provider, kind, times });

/** Lets every pause between two tries pass. */
async function outwait(tries: number) {
  for (let n = 0; n < tries; n += 1) {
    await jobs.drain();
    await advance(2 * 3600);
  }
  await jobs.drain();
}

test('a message leaves after the commit, is logged as sent, and not kept', async () => {
  const secret = randomUUID();
  const id = await send(mail('ada@example.test', secret));
  const queued = await row(id);
  expect(queued).toMatchObject({ status: 'queued', attempts: 0, sent_at: null });
  expect(queued?.['sealed_body']).not.toContain(secret);
  await jobs.drain();
  const [received, ...others] = await inbox('ada@example.test');
  expect(received?.text).toContain(`\nPassword: ${secret}`);
  expect(others).toEqual([]);
  expect(await row(id)).toMatchObject({
    channel: 'email',
    recipient: 'ada@example.test',
    purpose: 'welcome',
    status: 'sent',
    attempts: 1,
    sealed_body: null,
    last_error: null,
    provider_reference: expect.stringContaining(id),
    sent_at: expect.any(String),
  });
});

test('a message of a transaction that is undone is never sent', async () => {
  const undone = transact(db, async (tx) => {
    await messages.send(tx, by, { ...mail('undone@example.test', 'x'), kind: 'notice' });
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  await jobs.drain();
  expect(await inbox('undone@example.test')).toEqual([]);
});

test('while the mail server is down a message waits, and is then sent once', async () => {
  fault('email', 'refuse', 3);
  const id = await send(mail('later@example.test', 'x'));
  await jobs.drain();
  expect(await inbox('later@example.test')).toEqual([]);
  expect(await row(id)).toMatchObject({
    status: 'queued',
    attempts: 1,
    last_error: expect.stringMatching(/./),
  });
  await outwait(3);
  expect(await inbox('later@example.test')).toHaveLength(1);
  expect(await row(id)).toMatchObject({ status: 'sent', attempts: 4, sealed_body: null });
});

test.each([
  ['email', 'lost@example.test'],
  ['sms', '+6281200001111'],
  ['whatsapp', '+6281200001112'],
  ['push', 'device-1'],
] as const)('%s whose answer is lost is tried again', async (channel, to) => {
  fault(channel, 'commit-then-drop', 1);
  const id = await send({ channel, to, purpose: 'code', words: line('Code: 123456') });
  await outwait(2);
  // WhatsApp keeps us from sending again by its webhook alone (message-reports).
  expect(await inbox(to)).toHaveLength(channel === 'whatsapp' ? 2 : 1);
  expect(await row(id)).toMatchObject({ status: 'sent', attempts: 2 });
});

test('a refused message is not sent again, and its content is deleted', async () => {
  const id = await send(mail('nobody@bounce.example', 'x'));
  await outwait(1);
  expect(await row(id)).toMatchObject({
    status: 'failed',
    attempts: 1,
    last_error: 'SMTP_550',
    sealed_body: null,
  });
});

test('after the last try a message is a dead letter, which can be sent again', async () => {
  fault('sms', 'error', 100);
  const id = await send({
    channel: 'sms',
    to: '+6281200003333',
    purpose: 'notice',
    words: line('x'),
  });
  await outwait(24);
  expect(await row(id)).toMatchObject({ status: 'failed', attempts: 24, last_error: 'HTTP 500' });
  expect((await jobs.stats()).dead).toMatchObject({ 'messages.deliver': 1 });
  sandbox.world.faults.clear();
  expect(await jobs.redrive('messages.deliver')).toBe(1);
  await jobs.drain();
  expect(await inbox('+6281200003333')).toHaveLength(1);
  expect(await row(id)).toMatchObject({ status: 'sent', sealed_body: null });
});

test('a message that has lapsed while its provider was away is not sent', async () => {
  fault('sms', 'error', 1);
  const validUntil = new Date(clock.now().getTime() + 300_000);
  const to = '+6281200004444';
  const id = await send({
    channel: 'sms',
    to,
    purpose: 'code',
    words: line('Code: 1'),
    validUntil,
  });
  await outwait(2);
  expect(await row(id)).toMatchObject({
    status: 'failed',
    last_error: 'LAPSED',
    sealed_body: null,
  });
  expect(await inbox(to)).toEqual([]);
});

test('a failed message is deleted after a week', async () => {
  fault('push', 'error', 100);
  const id = await send({ channel: 'push', to: 'device-2', purpose: 'notice', words: line('x') });
  await outwait(24);
  expect(await row(id)).toMatchObject({ status: 'failed', sealed_body: expect.any(String) });
  await advance((8 * 24 * HOURS_MS) / 1000);
  await jobs.drain();
  expect(await row(id)).toMatchObject({ status: 'failed', sealed_body: null });
  sandbox.world.faults.clear();
});

test('the content of a message is in no log, in any status', async () => {
  const secret = randomUUID();
  fault('email', 'error', 1);
  await send(mail('secret@example.test', secret));
  await outwait(2);
  expect((await inbox('secret@example.test'))[0]?.text).toContain(secret);
  expect(logged.join('\n')).not.toContain(secret);
});
