import { Value } from 'typebox/value';
import type { Config } from '#kernel/config/config.ts';
import { parsed } from '#kernel/provider-call.ts';
import { sameSecret } from '#kernel/secrets/token.ts';
import type { BotAccount, BotNews, TelegramBot, Unread } from './port.ts';
import { shownName } from './shown-name.ts';
import { telegramMessage } from './telegram.ts';
import { type TelegramMessage, type TelegramSender, TelegramUpdate } from './telegram-wire.ts';

/** An alert has no room for more. */
const ALERT_MAX = 200;

/** Our bot at Telegram, which calls us and takes our answer as the bot's. */
export const telegramBot = ({
  TELEGRAM_BOT_NAME: bot,
  TELEGRAM_WEBHOOK_SECRET: secret,
}: Pick<Config, 'TELEGRAM_BOT_NAME' | 'TELEGRAM_WEBHOOK_SECRET'>): TelegramBot => ({
  isGenuine(_raw, headers) {
    const given = headers['x-telegram-bot-api-secret-token'];
    return secret !== '' && typeof given === 'string' && sameSecret(given, secret);
  },
  link: (text) =>
    bot === '' ? undefined : `https://t.me/${bot}?start=${encodeURIComponent(text)}`,
  read(raw) {
    const update = parsed(Buffer.from(raw).toString('utf8'));
    const news = Value.Check(TelegramUpdate, update) ? newsIn(update) : undefined;
    return news === undefined ? [] : [news];
  },
  answer({ chat, press }, { text, buttons }) {
    if (press === undefined)
      return { method: 'sendMessage', ...telegramMessage(chat, text, buttons) };
    return {
      method: 'answerCallbackQuery',
      callback_query_id: press,
      text: text.slice(0, ALERT_MAX),
      show_alert: true,
    };
  },
});

function newsIn(update: TelegramUpdate): BotNews | undefined {
  const { message, edited_message, callback_query } = update;
  const name = String(update.update_id);
  if (callback_query) {
    const { id: press, from, data = '', message: pressed } = callback_query;
    if (pressed !== undefined && pressed.chat.type !== 'private') return undefined;
    return { ...base(name, from), kind: 'press', button: data, press };
  }
  const written = message ?? edited_message;
  if (written?.from === undefined || written.from.is_bot === true) return undefined;
  const facts = base(name, written.from);
  const why = unreadOf(written, edited_message !== undefined);
  if (why === 'group') return { ...facts, kind: 'unread', why, chat: String(written.chat.id) };
  if (why !== undefined) return { ...facts, kind: 'unread', why };
  return { ...facts, kind: 'text', text: written.text ?? '' };
}

function unreadOf(message: TelegramMessage, isEdited: boolean): Unread | undefined {
  if (message.chat.type !== 'private') return 'group';
  if (isEdited) return 'edited';
  if (message.forward_origin !== undefined || message.forward_date !== undefined)
    return 'forwarded';
  return message.text === undefined ? 'media' : undefined;
}

const base = (name: string, from: TelegramSender) => ({ name, account: accountOf(from) });

function accountOf(from: TelegramSender): BotAccount {
  const { id, first_name = '', last_name = '', username, language_code = '' } = from;
  const isName = username !== undefined && /^\w{1,32}$/.test(username);
  return {
    id: String(id),
    // A person's own chat has the person's id.
    address: String(id),
    name: shownName(`${first_name} ${last_name}`),
    handle: isName ? `@${username}` : undefined,
    language: language_code,
  };
}
