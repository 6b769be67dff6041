import { type Static, Type } from 'typebox';

/**
 * What the Bot API takes, by its reference alone (core.telegram.org/bots/api): as JSON, as a form or in the address.
 * What the reference does not name is left out, and what the sandbox shows nothing of is taken as it is.
 */
const ChatId = Type.Union([Type.Integer(), Type.String({ minLength: 1, maxLength: 64 })]);

/** The API counts bytes. */
const CALLBACK_DATA_MAX = 64;
const Button = Type.Object({
  text: Type.String({ minLength: 1 }),
  callback_data: Type.Optional(Type.String({ minLength: 1 })),
  url: Type.Optional(Type.String()),
});
const Markup = Type.Object({
  inline_keyboard: Type.Optional(Type.Array(Type.Array(Button))),
});

/** `sendMessage`. In a form the keyboard is JSON in a text. */
export const SendMessage = Type.Object({
  chat_id: ChatId,
  text: Type.String({ minLength: 1, maxLength: 4096 }),
  parse_mode: Type.Optional(Type.String()),
  reply_markup: Type.Optional(Type.Union([Markup, Type.String()])),
});
export type SendMessage = Static<typeof SendMessage>;

/** `answerCallbackQuery`. */
export const AnswerCallbackQuery = Type.Object({
  callback_query_id: Type.String({ minLength: 1 }),
  text: Type.Optional(Type.String({ maxLength: 200 })),
  show_alert: Type.Optional(Type.Union([Type.Boolean(), Type.String()])),
  url: Type.Optional(Type.String()),
  cache_time: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
});
export type AnswerCallbackQuery = Static<typeof AnswerCallbackQuery>;

/** `setWebhook`. */
export const SetWebhook = Type.Object({
  url: Type.String(),
  secret_token: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{1,256}$' })),
  drop_pending_updates: Type.Optional(Type.Union([Type.Boolean(), Type.String()])),
});
export type SetWebhook = Static<typeof SetWebhook>;

export interface ShownButton {
  readonly id: string;
  readonly title: string;
}

/** The buttons of a keyboard; undefined where the API would refuse it. */
export function buttonsIn(markup: SendMessage['reply_markup']): readonly ShownButton[] | undefined {
  const given = typeof markup === 'string' ? markupIn(markup) : (markup ?? {});
  const all = given?.inline_keyboard?.flat() ?? [];
  const isRight = all.every(
    ({ callback_data: data, url }) =>
      (data === undefined) !== (url === undefined) &&
      Buffer.byteLength(data ?? 'x') <= CALLBACK_DATA_MAX,
  );
  if (given === undefined || !isRight) return undefined;
  return all.map(({ text, callback_data = '' }) => ({ id: callback_data, title: text }));
}

function markupIn(text: string): Static<typeof Markup> | undefined {
  try {
    return JSON.parse(text) as Static<typeof Markup>;
  } catch {
    return undefined;
  }
}
