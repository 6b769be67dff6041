import { Type } from 'typebox';
import type { Inbox } from '#kernel/effects/inbox.ts';
import { fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { Html } from '#kernel/http/declare/html.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { MessageField, PlainText } from '#kernel/http/declare/schema.ts';
import { transact } from '#kernel/transact.ts';
import type { SocialBotDeps } from './deps.ts';
import { type UnderstoodNews, understandNews } from './understand.ts';
import { findBotReply } from './writer-store.ts';

const endpoint = endpoints(errorEnvelope);

/** A method of the Bot API with its parameters, as an answer to a call; nothing where the bot says nothing. */
const BotAnswer = named('TelegramAnswer', {
  method: Type.Optional({
    ...Type.String(),
    description: 'A method of the Bot API; without it the bot says nothing',
    examples: ['sendMessage'],
  }),
  chat_id: Type.Optional({ ...Type.Integer(), description: 'The chat of the person' }),
  text: Type.Optional({
    ...Type.String(),
    description: 'What the bot says',
    examples: ['Nothing was linked.'],
  }),
  reply_markup: Type.Optional({
    ...Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
    }),
    description: 'The buttons below it',
    examples: [
      { inline_keyboard: [[{ text: 'Yes', callback_data: 'y.sbl_06f4t3xet5c77bsdh7wedf8g8s' }]] },
    ],
  }),
  callback_query_id: Type.Optional({
    ...Type.String(),
    description: 'The press that is answered',
    examples: ['4382bfdwdsb323b2d9'],
  }),
  show_alert: Type.Optional({ ...Type.Boolean(), description: 'Shown until it is closed' }),
});

/** What the platforms call. */
export const botWebhookRoutes = (
  deps: SocialBotDeps,
  inboxes: { readonly telegram: Inbox<UnderstoodNews>; readonly whatsapp: Inbox<UnderstoodNews> },
): Route[] => [
  telegramRoute(deps, inboxes.telegram),
  registerRoute(deps),
  whatsAppRoute(deps, inboxes.whatsapp),
];

const telegramRoute = (deps: SocialBotDeps, inbox: Inbox<UnderstoodNews>): Route =>
  endpoint('POST /socialbot/telegram/webhook', {
    name: 'callbacks.receiveTelegram',
    auth: 'public',
    summary: 'Webhook of the Telegram bot; its secret token proves the call',
    // What stands behind a call is its token, and Telegram sends many from one address.
    limit: 'authenticated',
    signed: (raw, headers) => deps.chatBots.telegram.isGenuine(raw, headers),
    reply: { 200: BotAnswer },
    fault: 'Failed to take the update',
    async handler({ request, db }) {
      const [news] = deps.chatBots.telegram.read(request.raw);
      if (news === undefined) return {};
      const event = understandNews(deps.vault, 'telegram', news);
      await transact(db, (tx) => deps.inboxes.receive(tx, inbox, news.name, event));
      await deps.inboxes.handleNow(inbox, news.name);
      // The same answer to a repetition: the first one may have got lost.
      return (await findBotReply(db, news.name)) ?? {};
    },
  });

const registerRoute = ({ whatsAppReports }: SocialBotDeps): Route =>
  endpoint('GET /socialbot/whatsapp/webhook', {
    name: 'callbacks.registerBot',
    auth: 'public',
    errors: ['FORBIDDEN'],
    summary: 'Registration of the webhook of the WhatsApp bot: its verify token proves the call',
    query: Type.Object({
      'hub.mode': Type.Optional(Type.String({ maxLength: 20, examples: ['subscribe'] })),
      'hub.verify_token': Type.Optional(
        Type.String({ maxLength: 200, examples: ['a-verify-token'] }),
      ),
      'hub.challenge': Type.Optional(Type.String({ pattern: '^[\\w-]{1,200}$' })),
    }),
    reply: { 200: PlainText },
    async handler({ query }) {
      const {
        'hub.mode': mode,
        'hub.verify_token': token = '',
        'hub.challenge': challenge,
      } = query;
      if (mode !== 'subscribe' || challenge === undefined || !whatsAppReports.mayRegister(token))
        throw fail('FORBIDDEN', 'Wrong verify token');
      return new Html(200, challenge, { type: 'text/plain' });
    },
  });

const whatsAppRoute = (deps: SocialBotDeps, inbox: Inbox<UnderstoodNews>): Route =>
  endpoint('POST /socialbot/whatsapp/webhook', {
    name: 'callbacks.receiveBot',
    auth: 'public',
    summary: 'Webhook of the WhatsApp bot; its signature proves the call',
    // What stands behind a call is its signature, and Meta sends many from one address.
    limit: 'authenticated',
    signed: (raw, headers) => deps.chatBots.whatsapp.isGenuine(raw, headers),
    reply: { 200: MessageField },
    atomic: true,
    fault: 'Failed to take the event',
    async handler({ request, db: tx }) {
      const heard = deps.chatBots.whatsapp.read(request.raw);
      for (const news of heard)
        await deps.inboxes.receive(
          tx,
          inbox,
          news.name,
          understandNews(deps.vault, 'whatsapp', news),
        );
      // Meta has one address for an app: what became of our own messages comes here, too.
      const reports = await deps.messageReports.receiveReports(tx, request.raw);
      const isEmpty = heard.length + reports === 0;
      return { message: isEmpty ? 'Event ignored' : 'Event received' };
    },
  });
