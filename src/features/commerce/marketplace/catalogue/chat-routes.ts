import { Type } from 'typebox';
import { type AppError, fail } from '#kernel/error.ts';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { endpoints, type Fault, type Route } from '#kernel/http/declare/route.ts';
import { flat, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import type { MarketDeps } from '../deps.ts';
import { CHAT_INTENTS, chat } from './chat.ts';

const endpoint = endpoints(flatEnvelope);

const REQUIRED = 'Message required';

function invalidChat(faults: readonly Fault[]): AppError {
  const details = faults.map(({ field, message }) => ({ field, message }));
  const [first] = details;
  const isMessage = first === undefined || details.some(({ field }) => field === 'message');
  const said = isMessage ? REQUIRED : `${first.field} ${first.message}`;
  return fail('VALIDATION_ERROR', said, { details });
}

/** Contract part 2, Marketplace: chat. */
export const chatRoutes = (deps: MarketDeps): Route[] => [
  endpoint('POST /marketplace/chat', {
    name: 'marketplace.chat',
    auth: 'public',
    errors: ['CHAT_UNAVAILABLE'],
    summary: 'Talks with a shopper, and says what is wanted; does nothing else',
    bodyKind: 'list',
    body: Type.Object({
      message: text(4000),
      conversation_history: Type.Optional(
        Type.Array(
          Type.Object({
            role: Type.String({ maxLength: 20 }),
            content: Type.String({ maxLength: 20_000 }),
          }),
          { maxItems: 200 },
        ),
      ),
    }),
    reply: {
      200: flat({
        reply: Type.String(),
        intent: oneOfWords(CHAT_INTENTS),
        usage: Type.Object({
          prompt_tokens: Type.Integer(),
          completion_tokens: Type.Integer(),
          total_tokens: Type.Integer(),
        }),
      }),
    },
    invalid: invalidChat,
    fault: 'Chat service unavailable',
    async handler({ body: { message, conversation_history = [] }, request: { ip } }) {
      return chat(deps, { message, history: conversation_history, ip });
    },
  }),
];
