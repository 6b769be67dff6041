// Long: it loads a library of the provider's users.

import { Api, Bot, type GrammyError, InlineKeyboard } from 'grammy';
import type { Update } from 'grammy/types';
import { expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { messageSimulators } from '#sandbox/providers/messages/simulator.ts';
import { telegramBot } from '#src/providers/messages/telegram-bot.ts';
import { testSandbox } from '#test/sandbox.ts';

const config = loadConfig({ NODE_ENV: 'test', SANDBOX_SMTP_PORT: '0' });
const sandbox = await testSandbox(...messageSimulators(config).simulators);
const apiRoot = `${sandbox.url}/telegram`;
const token = config.TELEGRAM_BOT_TOKEN;
const api = new Api(token, { apiRoot });
const FROM = 70_010_002;

const write = (text: string, more: object = {}) =>
  sandbox.control('POST /social/telegram/messages', {
    from: String(FROM),
    name: 'Ada',
    text,
    username: 'ada_love',
    language: 'id',
    ...more,
  });
const last = () => JSON.parse(sandbox.received.at(-1)?.raw.toString() ?? '') as Update;

test('grammy sends a message with buttons to a person who has written', async () => {
  await write('/start ABCD2345');
  const keyboard = new InlineKeyboard().text('Yes', 'y.1').text('No', 'n.1');
  const sent = await api.sendMessage(FROM, 'Hello', { reply_markup: keyboard });
  expect(sent).toMatchObject({ message_id: expect.any(Number), text: 'Hello', chat: { id: FROM } });
  const { body } = await sandbox.control(`GET /social/telegram/chat?from=${FROM}`);
  expect(body).toMatchObject([
    {
      by: 'bot',
      buttons: [
        { id: 'y.1', title: 'Yes' },
        { id: 'n.1', title: 'No' },
      ],
    },
    { by: 'person', text: '/start ABCD2345' },
  ]);
});

test('grammy reads the codes of refusals', async () => {
  const refused = (call: Promise<unknown>) => call.catch((error: GrammyError) => error.error_code);
  expect(await refused(api.sendMessage(1, 'Hello'))).toBe(400);
  expect(await refused(new Api('1:another', { apiRoot }).sendMessage(FROM, 'Hello'))).toBe(401);
  const long = new InlineKeyboard().text('Yes', 'x'.repeat(65));
  expect(await refused(api.sendMessage(FROM, 'Hello', { reply_markup: long }))).toBe(400);
  expect(await refused(api.answerCallbackQuery('1'))).toBe(400);
  expect(await refused(api.getUpdates())).toBe(409);
});

test('grammy’s bot understands what the sandbox calls, and its answer is done', async () => {
  const bot = new Bot(token, { client: { apiRoot, canUseWebhookReply: () => true } });
  await bot.init();
  expect(bot.botInfo.username).toBe('archipay_sandbox_bot');
  const heard: unknown[] = [];
  bot.command(
    'start',
    (ctx) => void heard.push([ctx.match, ctx.from?.language_code, ctx.chat.type]),
  );
  bot.on('callback_query:data', (ctx) => void heard.push([ctx.callbackQuery.data]));
  bot.on('edited_message', (ctx) => void heard.push(['edited', ctx.editedMessage.edit_date > 0]));
  bot.on('message:forward_origin', (ctx) => void heard.push([ctx.message.forward_origin.type]));
  bot.on('message:photo', () => void heard.push(['photo']));
  const hear = async () => bot.handleUpdate(last());
  await write('/start ABCD2345');
  await hear();
  await sandbox.control('POST /social/telegram/press', { from: String(FROM), button: 'Yes' });
  await hear();
  for (const kind of ['edited', 'forwarded', 'media']) {
    await write('Hello', { kind });
    await hear();
  }
  expect(heard).toEqual([
    ['ABCD2345', 'id', 'private'],
    ['y.1'],
    ['edited', true],
    ['hidden_user'],
    ['photo'],
  ]);
});

test('grammy’s updates are read by our adapter, too', async () => {
  await write('ABCD2345');
  const [news] = telegramBot(config).read(sandbox.received.at(-1)?.raw ?? Buffer.alloc(0));
  expect(news).toMatchObject({
    kind: 'text',
    text: 'ABCD2345',
    account: { id: String(FROM), name: 'Ada', handle: '@ada_love', language: 'id' },
  });
});

test('a webhook that grammy has set is called with its secret', async () => {
  const url = `http://127.0.0.1:${new URL(sandbox.world.serviceUrl()).port}/api/hook`;
  await api.setWebhook(url, { secret_token: 'a-secret' });
  expect(await api.getWebhookInfo()).toMatchObject({ url, pending_update_count: 0 });
  await write('Hello');
  const { path, headers } = sandbox.received.at(-1) ?? {};
  expect([path, headers?.['x-telegram-bot-api-secret-token']]).toEqual(['/api/hook', 'a-secret']);
});
