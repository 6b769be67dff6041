import { type Static, Type } from 'typebox';
import { text } from '#kernel/http/declare/schema.ts';

/** Telegram's Bot API: of a chat and a person what we read (https://core.telegram.org/bots/api). */
const Id = Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER });
const Chat = Type.Object({ id: Id, type: Type.String() });
const Sender = Type.Object({
  id: Id,
  is_bot: Type.Optional(Type.Boolean()),
  first_name: Type.Optional(Type.String()),
  last_name: Type.Optional(Type.String()),
  username: Type.Optional(Type.String()),
  language_code: Type.Optional(Type.String()),
});
export type TelegramSender = Static<typeof Sender>;

export const TelegramMessage = Type.Object({
  chat: Chat,
  /** Missing in channels. */
  from: Type.Optional(Sender),
  text: Type.Optional(Type.String()),
  /** Present in what was written elsewhere before. */
  forward_origin: Type.Optional(Type.Unknown()),
  forward_date: Type.Optional(Type.Unknown()),
});
export type TelegramMessage = Static<typeof TelegramMessage>;

const Press = Type.Object({
  id: Type.String({ pattern: '^[\\x21-\\x7e]{1,100}$' }),
  from: Sender,
  /** An old one of a message that is there no more has only its chat and id. */
  message: Type.Optional(Type.Object({ chat: Chat })),
  data: Type.Optional(Type.String()),
});

/** A call of the webhook; what an update has besides is of other kinds. */
export const TelegramUpdate = Type.Object({
  update_id: Id,
  message: Type.Optional(TelegramMessage),
  edited_message: Type.Optional(TelegramMessage),
  callback_query: Type.Optional(Press),
});
export type TelegramUpdate = Static<typeof TelegramUpdate>;

/** `POST /bot<token>/sendMessage`, and an answer to a call of the webhook that has its name as `method`. */
export const TelegramSendMessage = Type.Object({
  chat_id: Id,
  text: text(4096),
  reply_markup: Type.Optional(
    Type.Object({
      inline_keyboard: Type.Array(
        Type.Array(Type.Object({ text: text(64), callback_data: text(64) }), { minItems: 1 }),
      ),
    }),
  ),
});
export type TelegramSendMessage = Static<typeof TelegramSendMessage>;

export const TelegramSent = Type.Object({
  ok: Type.Literal(true),
  result: Type.Object({ message_id: Type.Integer() }),
});

/** How the Bot API refuses. */
export const TelegramRefusal = Type.Object({
  ok: Type.Literal(false),
  error_code: Type.Integer(),
});
