import { Type } from 'typebox';
import { fail } from '#kernel/error.ts';
import { oneOfWords } from '#kernel/http/declare/schema.ts';
import { isNotConfigured } from '#kernel/provider-call.ts';
import { DAY_MS, QUARTER_MS, type QuotaRule } from '#kernel/quota/quota.ts';
import type { ModelTurn, TokenUsage } from '#providers/language-model/port.ts';
import type { MarketDeps } from '../deps.ts';

/** Intents of a shopper (contract part 2, Marketplace). */
export const CHAT_INTENTS = ['SEARCH', 'BUY', 'INFO', 'HELP'] as const;
export type ChatIntent = (typeof CHAT_INTENTS)[number];

export interface ShopChatRequest {
  readonly message: string;
  readonly history: readonly { readonly role: string; readonly content: string }[];
  readonly ip: string;
}

export interface ChatAnswer {
  readonly reply: string;
  readonly intent: ChatIntent;
  readonly usage: TokenUsage;
}

const REPLY_MAX = 4000;
const Proposal = Type.Object({
  intent: oneOfWords(CHAT_INTENTS),
  reply: Type.String({ minLength: 1, maxLength: REPLY_MAX }),
});

const INSTRUCTIONS = `You help shoppers of a marketplace that sells goods of two catalogues for USDC. Say what the
shopper wants: SEARCH to find goods, BUY to order or pay, INFO about prices, shipping or payment, HELP otherwise.
Reply in one to three friendly sentences in the shopper's language. You cannot search, order, pay or promise
anything yourself: the app does that when the shopper asks it to. Never ask for keys, words of a wallet or codes.`;

/** The newest turns and characters of the history that the model gets. */
const TURNS_MAX = 20;
const CHARS_MAX = 12_000;

/** Each answer costs the platform money. */
const CHATS: QuotaRule = {
  name: 'marketplace chats',
  words: 'messages',
  limits: [
    { per: 'network', withinMs: QUARTER_MS, most: 1_000, strangers: 60 },
    { per: 'network', withinMs: DAY_MS, most: 10_000, strangers: 500 },
  ],
  day: 100_000,
};

/** Answers a shopper. A chat moves no money and changes no order. */
export async function chat(deps: MarketDeps, request: ShopChatRequest): Promise<ChatAnswer> {
  await deps.quotas.spend(deps.db, CHATS, { ip: request.ip });
  const turns = [...recent(request.history), { role: 'user', content: request.message } as const];
  const question = { task: 'shop-chat', instructions: INSTRUCTIONS, turns };
  const answer = await deps.model.propose(question, Proposal);
  if (answer.kind !== 'done')
    throw fail('CHAT_UNAVAILABLE', 'Chat service unavailable', {
      details: isNotConfigured(answer)
        ? 'No language model is configured'
        : 'The language model gives no answer at the moment',
    });
  const { value, usage } = answer.value;
  return { reply: value.reply, intent: value.intent, usage };
}

/** Callers may write anything into the history, so none of it counts as our instructions. */
function recent(history: ShopChatRequest['history']): ModelTurn[] {
  const turns = history.flatMap(({ role, content }): ModelTurn[] =>
    role === 'user' || role === 'assistant' ? [{ role, content }] : [],
  );
  const kept: ModelTurn[] = [];
  let chars = 0;
  for (const turn of turns.slice(-TURNS_MAX).toReversed()) {
    chars += turn.content.length;
    if (chars > CHARS_MAX) break;
    kept.unshift(turn);
  }
  return kept;
}
