import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import type { World } from '#sandbox/simulator.ts';
import { keepEntry, nextNumber } from './chats.ts';
import { receive } from './inbox.ts';
import { AnswerCallbackQuery, buttonsIn, SendMessage, SetWebhook } from './telegram-schema.ts';

export const TELEGRAM = 'telegram';

export type TelegramConfig = Pick<
  Config,
  `TELEGRAM_${'BOT_TOKEN' | 'BOT_NAME' | 'WEBHOOK_SECRET'}`
>;

/** An answer of the Bot API: the result, or a code and what is said with it. */
export type TelegramAnswer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly error_code: number; readonly description: string };

const right = (result: unknown): TelegramAnswer => ({ ok: true, result });
export const botRefusal = (error_code: number, description: string): TelegramAnswer => ({
  ok: false,
  error_code,
  description,
});

type Method = (world: World, config: TelegramConfig, input: object) => Promise<TelegramAnswer>;

/** Somebody who has blocked the bot, whatever they wrote before. */
const BLOCKED = '5000';
/** A person, as the bot was met by them. */
export interface MetPerson {
  readonly id: number;
  readonly first_name: string;
  readonly username?: string;
  readonly language_code?: string;
}
/** A press that waits for its answer. */
export interface OpenPress {
  readonly person: string;
}
export interface KnownWebhook {
  readonly url: string;
  readonly secret: string;
}

const methodOf =
  <S extends TSchema>(
    schema: S,
    run: (world: World, config: TelegramConfig, input: Static<S>) => Promise<TelegramAnswer>,
  ): Method =>
  async (world, config, input) =>
    Value.Check(schema, input)
      ? run(world, config, input as Static<S>)
      : botRefusal(400, 'Bad Request: wrong parameters');

const sendMessage = methodOf(SendMessage, async (world, { TELEGRAM_BOT_TOKEN }, input) => {
  const person = String(input.chat_id);
  const met = await world.records.get<MetPerson>(TELEGRAM, 'person', person);
  if (met === undefined) return botRefusal(400, 'Bad Request: chat not found');
  if (person === BLOCKED) return botRefusal(403, 'Forbidden: bot was blocked by the user');
  const buttons = buttonsIn(input.reply_markup);
  if (buttons === undefined) return botRefusal(400, 'Bad Request: BUTTON_DATA_INVALID');
  const message_id = await nextNumber(world.records, TELEGRAM, 'message');
  await keepEntry(world, { platform: TELEGRAM, person, by: 'bot', text: input.text, buttons });
  const reference = String(message_id);
  await receive(world, { channel: TELEGRAM, reference, to: person, text: input.text });
  return right({
    message_id,
    from: bot(TELEGRAM_BOT_TOKEN),
    chat: { id: met.id, first_name: met.first_name, type: 'private' },
    date: world.clock.seconds(),
    text: input.text,
  });
});

const answerPress = methodOf(AnswerCallbackQuery, async (world, _config, input) => {
  const id = input.callback_query_id;
  const press = await world.records.get<OpenPress>(TELEGRAM, 'press', id);
  if (press === undefined)
    return botRefusal(
      400,
      'Bad Request: query is too old and response timeout expired or query ID is invalid',
    );
  const { person } = press;
  const alert = String(input.show_alert) === 'true';
  if (input.text !== undefined)
    await keepEntry(world, {
      id: `press-${id}`,
      platform: TELEGRAM,
      person,
      by: 'bot',
      text: input.text,
      alert,
    });
  return right(true);
});

const setWebhook = methodOf(SetWebhook, async ({ records }, _config, input) => {
  const hook: KnownWebhook = { url: input.url, secret: input.secret_token ?? '' };
  await records.remove(TELEGRAM, 'webhook', 'own');
  await records.insert(TELEGRAM, 'webhook', 'own', hook);
  return right(true);
});

const readWebhook = ({ records }: World) => records.get<KnownWebhook>(TELEGRAM, 'webhook', 'own');

/** Where calls go: as it was set, else to the service. */
export const webhookOf = async (world: World, config: TelegramConfig): Promise<KnownWebhook> =>
  (await readWebhook(world)) ?? {
    url: `${world.serviceUrl()}/socialbot/telegram/webhook`,
    secret: config.TELEGRAM_WEBHOOK_SECRET,
  };

/** The id of a bot is the number before the colon of its token. */
const bot = (token: string) => ({
  id: Number(token.split(':')[0]),
  is_bot: true,
  first_name: 'Archipay',
});

/** The methods that the sandbox knows, by their names in small letters: the API does not look at the case. */
export const TELEGRAM_METHODS: Readonly<Record<string, Method>> = {
  sendmessage: sendMessage,
  answercallbackquery: answerPress,
  setwebhook: setWebhook,
  deletewebhook: (world, config) => setWebhook(world, config, { url: '' }),
  getwebhookinfo: async (world, config) => {
    const { url } = await webhookOf(world, config);
    return right({ url, has_custom_certificate: false, pending_update_count: 0 });
  },
  getme: async (_world, { TELEGRAM_BOT_TOKEN, TELEGRAM_BOT_NAME }) =>
    right({
      ...bot(TELEGRAM_BOT_TOKEN),
      username: TELEGRAM_BOT_NAME,
      can_join_groups: true,
      can_read_all_group_messages: false,
      supports_inline_queries: false,
      can_connect_to_business: false,
      has_main_web_app: false,
    }),
  getupdates: async (world, config) =>
    (await webhookOf(world, config)).url === ''
      ? right([])
      : botRefusal(
          409,
          "Conflict: can't use getUpdates method while webhook is active; use deleteWebhook to delete the webhook first",
        ),
};
