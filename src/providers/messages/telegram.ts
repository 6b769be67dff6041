import { Value } from 'typebox/value';
import type { Refusal, Unknown } from '#kernel/effects/outcome.ts';
import { done, type HttpReply, unknown } from '#kernel/provider-call.ts';
import { meaningOf } from '../code-table.ts';
import { callMessageProvider, messageRefused } from './http-sender.ts';
import type { ChatButton, MessageSender } from './port.ts';
import { TELEGRAM_CODES } from './telegram-codes.ts';
import { TelegramRefusal, type TelegramSendMessage, TelegramSent } from './telegram-wire.ts';

export interface TelegramSettings {
  /** `https://api.telegram.org` */
  readonly url: () => string;
  readonly token: string;
}

/** Messages of a Telegram bot, which reach only those who have begun a chat with it. A repetition is sent twice. */
export const telegramSender =
  ({ url, token }: TelegramSettings): MessageSender =>
  async ({ to, text, chat }) => {
    const outcome = await callMessageProvider(
      {
        name: 'telegram send',
        method: 'POST',
        url: `${url()}/bot${token}/sendMessage`,
        body: telegramMessage(to, text, chat?.buttons),
      },
      TelegramSent,
      byErrorCode,
    );
    if (outcome.kind !== 'done') return outcome;
    return done({ reference: String(outcome.value.result.message_id) });
  };

/** A message with its buttons side by side. */
export const telegramMessage = (
  chat: string,
  text: string,
  buttons: readonly ChatButton[] = [],
): TelegramSendMessage => ({
  chat_id: Number(chat),
  text,
  ...(buttons.length > 0 && {
    reply_markup: {
      inline_keyboard: [buttons.map(({ id, title }) => ({ text: title, callback_data: id }))],
    },
  }),
});

function byErrorCode({ status, json }: HttpReply): Refusal | Unknown {
  if (!Value.Check(TelegramRefusal, json)) return unknown(`HTTP ${status}`);
  const { error_code } = json;
  return meaningOf(TELEGRAM_CODES, String(error_code)) === 'refused'
    ? messageRefused(`TELEGRAM_${error_code}`, status)
    : unknown(`Telegram ${error_code}`);
}
