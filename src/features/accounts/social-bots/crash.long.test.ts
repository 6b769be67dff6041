import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { type Child, startChild } from '#test/child.ts';
import { harness } from '#test/harness.ts';
import { socialBots } from '#test/social.ts';

const secrets = {
  MASTER_KEY: `1:${randomBytes(32).toString('base64')}`,
  JWT_SECRET: randomBytes(32).toString('hex'),
  EVM_MNEMONIC: 'test test test test test test test test test test test junk',
};
const h = await harness({
  mock: false,
  masterKey: secrets.MASTER_KEY,
  jwtSecret: secrets.JWT_SECRET,
});
const people = socialBots(h);
await h.drain();

/** Another process on the same database, which hears calls and does no jobs. */
const otherProcess = (): Promise<Child> =>
  startChild('app-child.ts', {
    databaseUrl: h.kernel.pool.options.connectionString ?? '',
    secrets,
    aheadMs: h.clock.offsetMs,
    settings: {
      NODE_ENV: 'test',
      HOST: '127.0.0.1',
      PORT: '0',
      ROLE: 'api',
      SANDBOX_PORT: new URL(h.app.sandboxUrl()).port,
      SANDBOX_SMTP_PORT: '0',
      RATE_LIMITS: 'off',
      MOCK_MODE: 'false',
    },
  });

const headers = {
  'content-type': 'application/json',
  'x-telegram-bot-api-secret-token': 'sandbox-telegram-webhook-secret',
};
const update = (update_id: number, from: string, code: string) => ({
  update_id,
  message: {
    message_id: 1,
    date: 1,
    text: code,
    from: { id: Number(from), is_bot: false, first_name: 'Ada' },
    chat: { id: Number(from), type: 'private', first_name: 'Ada' },
  },
});
const received = async (id: string) =>
  (await h.db.selectFrom('inbox').select('processed_at').where('id', '=', id).execute())[0];

test.each([
  ['the call is kept, and not handled yet', 'bot_writers'],
  ['the call is being handled', 'bot_replies'],
])(
  'a process that is killed while %s loses nothing: the next call is answered',
  async (_, table) => {
    const as = await people.member();
    const [, { data }] = await people.start(as);
    const id = table === 'bot_writers' ? 910_001 : 910_002;
    const from = people.telegram();
    const body = JSON.stringify(update(id, from, data.code));
    const child = await otherProcess();
    const url = `${child.said}/socialbot/telegram/webhook`;
    const held = await h.kernel.pool.connect();
    try {
      await held.query('begin');
      await held.query(`lock table ${table} in share row exclusive mode`);
      const lost = fetch(url, { method: 'POST', headers, body }).catch(() => 'lost');
      await expect.poll(() => received(String(id)), { timeout: 20_000 }).toBeDefined();
      const waits = `select 1 from pg_locks l join pg_class c on c.oid = l.relation
      where c.relname = '${table}' and not l.granted`;
      await expect.poll(async () => (await run(h.db, waits, [])).length).toBe(1);
      await child.end('SIGKILL');
      expect(await lost).toBe('lost');
    } finally {
      await held.query('rollback');
      held.release();
    }
    // As Telegram does, which had no answer.
    const answer = () =>
      h.call('POST /socialbot/telegram/webhook', { as: 'nobody', headers, body });
    const [status, said] = await answer();
    expect([status, said.method]).toEqual([200, 'sendMessage']);
    expect(await answer()).toEqual([200, said]);
    expect(await people.link(as, data.link_id)).toMatchObject({ status: 'ASKED' });
  },
);

test('a message of WhatsApp that a killed process has taken is answered once by another', async () => {
  const as = await people.member();
  const from = people.phone();
  // Makes the person known to the platform.
  await people.write(from, 'Halo');
  const [, { data }] = await people.start(as, 'whatsapp');
  const timestamp = String(Math.floor(h.clock.now().getTime() / 1000));
  const message = { from, id: 'wamid.crash', timestamp, type: 'text', text: { body: data.code } };
  const value = { messaging_product: 'whatsapp', messages: [message] };
  const entry = [{ id: '1', changes: [{ field: 'messages', value }] }];
  const body = JSON.stringify({ object: 'whatsapp_business_account', entry });
  const digest = createHmac('sha256', 'sandbox-whatsapp-app-secret').update(body).digest('hex');
  const signed = { ...headers, 'x-hub-signature-256': `sha256=${digest}` };
  const child = await otherProcess();
  const url = `${child.said}/socialbot/whatsapp/webhook`;
  // It was taken twice, and handled by none of the two calls.
  for (let n = 0; n < 2; n += 1)
    expect((await fetch(url, { method: 'POST', headers: signed, body })).status).toBe(200);
  await child.end('SIGKILL');
  expect(await people.link(as, data.link_id)).toMatchObject({ status: 'PENDING' });
  await h.drain();
  await h.drain();
  const bots = (await people.chat(from)).filter(({ by }) => by === 'bot');
  expect(bots.filter(({ buttons }) => buttons.length === 2)).toHaveLength(1);
  expect(await people.link(as, data.link_id)).toMatchObject({ status: 'ASKED' });
});
