import {
  type Allowance,
  chargesFor,
  DAY_MS,
  HOUR_MS,
  QUARTER_MS,
  tooMany,
} from '#kernel/access/allowances.ts';
import type { Requester } from '#kernel/access/requester.ts';
import { fail } from '#kernel/error.ts';
import { isNotConfigured, notConfigured } from '#kernel/provider-call.ts';
import type { ModelTurn as Said } from '#providers/language-model/port.ts';
import type { Context } from './context.ts';
import type { AgentDeps } from './deps.ts';
import { grounded, type Spoken } from './grounding.ts';
import {
  type AgentIntent,
  type Given,
  given,
  instructions,
  type Language,
  type Parameter,
  proposalSchema,
} from './intent.ts';
import { type NamedWallet, placesNamed } from './places.ts';
import type { Conversation } from './store.ts';

/** Decisions, budgets: how often somebody may have the model asked. */
const ASKED: readonly Allowance[] = [
  { per: 'actor', withinMs: QUARTER_MS, approved: 120, unapproved: 120 },
  { per: 'actor', withinMs: DAY_MS, approved: 2_000, unapproved: 1_000 },
  { per: 'network', withinMs: HOUR_MS, approved: 10_000, unapproved: 600 },
  { per: 'client', withinMs: DAY_MS, approved: 200_000, unapproved: 5_000 },
];
const RETRY_S = 5;

export interface Understood {
  readonly intent: AgentIntent;
  readonly language: Language;
  /** What the user has really written of it in this message, or hands over with it. */
  readonly parameters: Given;
  /** What this message says and cannot be read in exactly one way. */
  readonly doubts: readonly Parameter[];
  /** What a doubtful amount may be. */
  readonly amounts: readonly string[];
}

interface Asked {
  readonly input: string;
  readonly context: Context;
  readonly conversation: Conversation | undefined;
  /** The user's own wallets. */
  readonly places: readonly NamedWallet[];
}

/** What a message says, as the model sees it and as far as the user's own words bear it out. */
export async function understand(
  { db, config, budgets, shares, model }: AgentDeps,
  by: Requester,
  asked: Asked,
): Promise<Understood> {
  const { input, context, conversation } = asked;
  const chosen = walletChosen(asked);
  if (chosen) return chosen;
  const wait = await budgets.spend(db, chargesFor(config, 'agent', ASKED, by), by);
  if (wait !== undefined) throw tooMany('messages to the agent', wait);
  const earlier = (conversation?.said ?? []).map((content) => ({ role: 'user' as const, content }));
  const leave = await shares.enter('models', { requester: by });
  const proposed = model.propose(
    {
      task: 'wallet-intent',
      instructions: instructions(conversation),
      turns: [...answered([...context.turns, ...earlier]), { role: 'user', content: input }],
    },
    proposalSchema(),
  );
  const answer = await proposed.finally(leave);
  if (isNotConfigured(answer)) throw notConfigured('The language model');
  if (answer.kind === 'done') {
    const { value } = answer.value;
    const { intent, language } = value;
    return { intent, language, ...grounded(given(value), spokenOf(intent, asked)) };
  }
  // It answered, and made no sense: neither did we then.
  if (answer.kind === 'refused' && answer.code === 'MODEL_ANSWER_INVALID')
    return nothingNew(conversation?.language ?? 'en');
  throw fail('PROVIDER_UNAVAILABLE', 'The language model cannot be reached at the moment', {
    retryAfter: RETRY_S,
  });
}

const nothingNew = (language: Language): Understood => ({
  intent: 'unknown',
  language,
  parameters: {},
  doubts: [],
  amounts: [],
});

/** The answer to “which wallet?” is one of the options: no model has to read it, nor digits in a name. */
function walletChosen({ input, conversation, places }: Asked): Understood | undefined {
  if (conversation?.asked !== 'wallet_name' || conversation.intent === 'create_wallet')
    return undefined;
  if (placesNamed(places, input).length === 0) return undefined;
  return { ...nothingNew(conversation.language), parameters: { wallet_name: input.trim() } };
}

/** The user's own words of this wish: what was said of another one says nothing of it. */
function spokenOf(proposed: AgentIntent, { input, context, conversation, places }: Asked): Spoken {
  const open = conversation?.intent ?? context.intent;
  const isSame = proposed === 'unknown' || proposed === open;
  const handed = context.turns.flatMap(({ role, content }) => (role === 'user' ? [content] : []));
  return {
    said: [...handed, ...(isSame ? (conversation?.said ?? []) : []), input],
    intent: proposed === 'unknown' ? (open ?? proposed) : proposed,
    asked: isSame ? conversation?.asked : undefined,
    names: places.map(({ wallet_name }) => wallet_name),
  };
}

/** Somebody answered between what a user said and said next, or the two would read as one message. */
const answered = (turns: readonly Said[]): Said[] =>
  turns.flatMap((turn, i) =>
    turn.role === 'user' && turns[i + 1]?.role !== 'assistant'
      ? [turn, { role: 'assistant' as const, content: 'Noted.' }]
      : [turn],
  );
