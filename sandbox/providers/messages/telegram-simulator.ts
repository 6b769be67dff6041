import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { keepEntry, nextNumber } from './chats.ts';
import { readFormBodies } from './forms.ts';
import type { Pressed, Written } from './people.ts';
import {
  botRefusal,
  type MetPerson,
  type OpenPress,
  TELEGRAM,
  TELEGRAM_METHODS,
  type TelegramAnswer,
  type TelegramConfig,
  webhookOf,
} from './telegram-methods.ts';

interface Call {
  Params: { token: string; method: string };
  Querystring: Record<string, string>;
  Body: Record<string, unknown> | null | undefined;
}

/** Telegram's Bot API. It calls the webhook, and does what the answer to that call says. */
export const telegramSimulator = (config: TelegramConfig): Simulator => ({
  provider: TELEGRAM,
  prefix: '/telegram',
  refusal: (status, _code, message) => botRefusal(status, message),
  wire(server, world) {
    readFormBodies(server);
    server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) =>
      answer(reply, botRefusal(error.statusCode ?? 500, `Bad Request: ${error.message}`)),
    );
    server.route<Call>({
      method: ['GET', 'POST'],
      url: '/bot:token/:method',
      handler: async ({ params, query, body }, reply) => {
        if (params.token !== config.TELEGRAM_BOT_TOKEN)
          return answer(reply, botRefusal(401, 'Unauthorized'));
        const method = TELEGRAM_METHODS[params.method.toLowerCase()];
        if (method === undefined) return answer(reply, botRefusal(404, 'Not Found'));
        return answer(reply, await method(world, config, { ...query, ...body }));
      },
    });
  },
});

/** The status is the code of the error. */
const answer = (reply: FastifyReply, given: TelegramAnswer) =>
  reply.code(given.ok ? 200 : given.error_code).send(given);

const GROUP = { id: -1_001_234_567_890, title: 'A group', type: 'supergroup' };

/** A person writes to the bot, who thereby may write to them. */
export async function writeOnTelegram(
  world: World,
  config: TelegramConfig,
  { from, name, text, kind, username, language }: Written,
): Promise<boolean> {
  const person: MetPerson = {
    id: Number(from),
    first_name: name,
    ...(username !== undefined && { username }),
    ...(language !== undefined && { language_code: language }),
  };
  await world.records.remove(TELEGRAM, 'person', from);
  await world.records.insert(TELEGRAM, 'person', from, person);
  await keepEntry(world, { platform: TELEGRAM, person: from, by: 'person', text });
  const date = world.clock.seconds();
  const message = {
    message_id: await nextNumber(world.records, TELEGRAM, 'message'),
    from: { is_bot: false, ...person },
    chat: kind === 'group' ? GROUP : { ...person, type: 'private' },
    date,
    ...(kind === 'media'
      ? {
          photo: [{ file_id: 'AgAC', file_unique_id: 'AQAD', width: 90, height: 90 }],
          caption: text,
        }
      : { text, ...entitiesOf(text) }),
    ...(kind === 'forwarded' && {
      forward_origin: { type: 'hidden_user', sender_user_name: 'Another', date: date - 60 },
    }),
    ...(kind === 'edited' && { edit_date: date }),
  };
  return call(world, config, kind === 'edited' ? { edited_message: message } : { message });
}

/** A command is marked as one. */
function entitiesOf(text: string) {
  const [command] = /^\/\w+/.exec(text) ?? [];
  if (command === undefined) return {};
  return { entities: [{ type: 'bot_command', offset: 0, length: command.length }] };
}

/** A person touches a button below a message of the bot. */
export async function pressOnTelegram(
  world: World,
  config: TelegramConfig,
  { from, button }: Pressed,
): Promise<boolean> {
  const person = await world.records.get<MetPerson>(TELEGRAM, 'person', from);
  const known = person ?? { id: Number(from), first_name: 'Somebody' };
  const id = String(randomBytes(8).readBigUInt64BE());
  const press: OpenPress = { person: from };
  await world.records.insert(TELEGRAM, 'press', id, press);
  await keepEntry(world, {
    platform: TELEGRAM,
    person: from,
    by: 'person',
    text: `[${button.title}]`,
  });
  return call(world, config, {
    callback_query: {
      id,
      from: { is_bot: false, ...known },
      message: {
        message_id: await nextNumber(world.records, TELEGRAM, 'message'),
        chat: { id: Number(from), first_name: known.first_name, type: 'private' },
        date: world.clock.seconds(),
      },
      chat_instance: '-3921',
      data: button.id,
    },
  });
}

/** The webhook's secret goes with each call, and its answer may be a method to be done. */
async function call(world: World, config: TelegramConfig, update: object): Promise<boolean> {
  const { url, secret } = await webhookOf(world, config);
  const update_id = await nextNumber(world.records, TELEGRAM, 'update');
  const proof = (token: string) => ({ 'x-telegram-bot-api-secret-token': token });
  return world.callbacks.deliver(TELEGRAM, {
    url,
    headers: proof(secret),
    body: JSON.stringify({ update_id, ...update }),
    resign: proof,
    async answered(body) {
      const { method = '', ...input } = (body ?? {}) as { method?: string };
      await TELEGRAM_METHODS[method.toLowerCase()]?.(world, config, input);
    },
  });
}
