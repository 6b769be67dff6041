import type { Requester } from '#kernel/access/requester.ts';
import { fail } from '#kernel/error.ts';
import { isNotConfigured, notConfigured } from '#kernel/provider-call.ts';
import { DAY_MS, HOUR_MS, QUARTER_MS, type QuotaRule } from '#kernel/quota/quota.ts';
import type { ModelTurn } from '#providers/language-model/port.ts';
import type { Context } from './context.ts';
import type { AgentDeps } from './deps.ts';
import { grounded, type UserWords } from './grounding.ts';
import {
  type AgentIntent,
  type Given,
  given,
  instructions,
  type Language,
  type Parameter,
  proposalSchema,
} from './intent.ts';
import { type NamedWallet, walletsNamed } from './named-wallets.ts';
import type { Conversation } from './store.ts';

/** How often one user's messages may go to the model (docs/design/limits.md). */
const MESSAGES: QuotaRule = {
  name: 'agent',
  words: 'messages to the agent',
  limits: [
    { per: 'actor', withinMs: QUARTER_MS, most: 120 },
    { per: 'actor', withinMs: DAY_MS, most: 2_000, strangers: 1_000 },
    { per: 'network', withinMs: HOUR_MS, most: 10_000, strangers: 600 },
    { per: 'client', withinMs: DAY_MS, most: 200_000, strangers: 5_000 },
  ],
};
const RETRY_S = 5;

export interface Understood {
  readonly intent: AgentIntent;
  readonly language: Language;
  /** Parameters that the user has really written in this message, or that the context brings. */
  readonly parameters: Given;
  /** Parameters that this message mentions with several readings. */
  readonly doubts: readonly Parameter[];
  /** The readings of a doubtful amount. */
  readonly amounts: readonly string[];
}

interface Incoming {
  readonly input: string;
  readonly context: Context;
  readonly conversation: Conversation | undefined;
  /** The user's own wallets. */
  readonly wallets: readonly NamedWallet[];
}

/** The model's reading of a message, as far as the user's own words bear it out. */
export async function understand(
  { db, quotas, shares, model }: AgentDeps,
  by: Requester,
  incoming: Incoming,
): Promise<Understood> {
  const { input, context, conversation } = incoming;
  const chosen = walletChosen(incoming);
  if (chosen) return chosen;
  await quotas.spend(db, MESSAGES, by);
  const earlier = (conversation?.said ?? []).map((content) => ({ role: 'user' as const, content }));
  const leave = await shares.enter('models', { requester: by });
  const proposed = model.propose(
    {
      task: 'wallet-intent',
      instructions: instructions(conversation),
      turns: [...withReplies([...context.turns, ...earlier]), { role: 'user', content: input }],
    },
    proposalSchema(),
  );
  const answer = await proposed.finally(leave);
  if (isNotConfigured(answer)) throw notConfigured('The language model');
  if (answer.kind === 'done') {
    const { value } = answer.value;
    const { intent, language } = value;
    return { intent, language, ...grounded(given(value), userWordsOf(intent, incoming)) };
  }
  // The model's answer makes no sense, so the agent has understood nothing.
  if (answer.kind === 'refused' && answer.code === 'MODEL_ANSWER_INVALID')
    return nothingUnderstood(conversation?.language ?? 'en');
  throw fail('PROVIDER_UNAVAILABLE', 'The language model cannot be reached at the moment', {
    retryAfter: RETRY_S,
  });
}

const nothingUnderstood = (language: Language): Understood => ({
  intent: 'unknown',
  language,
  parameters: {},
  doubts: [],
  amounts: [],
});

/** The answer to “which wallet?” is one of the options: neither the model nor the reader of amounts sees it. */
function walletChosen({ input, conversation, wallets }: Incoming): Understood | undefined {
  if (conversation?.asked !== 'wallet_name' || conversation.intent === 'create_wallet')
    return undefined;
  if (walletsNamed(wallets, input).length === 0) return undefined;
  return { ...nothingUnderstood(conversation.language), parameters: { wallet_name: input.trim() } };
}

/** The user's own words about this intent: words about another intent do not count. */
function userWordsOf(
  proposed: AgentIntent,
  { input, context, conversation, wallets }: Incoming,
): UserWords {
  const open = conversation?.intent ?? context.intent;
  const isSame = proposed === 'unknown' || proposed === open;
  const handed = context.turns.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
  return {
    said: [...handed, ...(isSame ? (conversation?.said ?? []) : []), input],
    intent: proposed === 'unknown' ? (open ?? proposed) : proposed,
    asked: isSame ? conversation?.asked : undefined,
    names: wallets.map(({ wallet_name }) => wallet_name),
  };
}

/** A reply stands between two messages of the user, or the model would read them as one. */
const withReplies = (turns: readonly ModelTurn[]): ModelTurn[] =>
  turns.flatMap((turn, i) =>
    turn.role === 'user' && turns[i + 1]?.role !== 'assistant'
      ? [turn, { role: 'assistant' as const, content: 'Noted.' }]
      : [turn],
  );
