import {
  type Allowance,
  chargesFor,
  DAY_MS,
  HOUR_MS,
  QUARTER_MS,
  tooMany,
} from '#kernel/access/allowances.ts';
import type { Requester } from '#kernel/access/requester.ts';
import { fail } from '#kernel/http/error.ts';
import type { Turn as Said } from '#providers/language-model/port.ts';
import { isNotConfigured, notConfigured } from '#providers/provider.ts';
import type { Context } from './context.ts';
import type { AgentDeps } from './deps.ts';
import { grounded } from './grounding.ts';
import {
  type Given,
  given,
  type Intent,
  instructions,
  type Language,
  proposalSchema,
} from './intent.ts';
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
  readonly intent: Intent;
  readonly language: Language;
  /** What the user has really written of it in this message, or hands over with it. */
  readonly parameters: Given;
}

/** What a message says, as the model sees it and as far as the user's own words bear it out. */
export async function understand(
  { db, config, budgets, model }: AgentDeps,
  by: Requester,
  asked: {
    readonly input: string;
    readonly context: Context;
    readonly conversation: Conversation | undefined;
  },
): Promise<Understood> {
  const { input, context, conversation } = asked;
  const wait = await budgets.spend(db, chargesFor(config, 'agent', ASKED, by), by);
  if (wait !== undefined) throw tooMany('messages to the agent', wait);
  const earlier = (conversation?.said ?? []).map((content) => ({ role: 'user' as const, content }));
  const answer = await model.propose(
    {
      task: 'wallet-intent',
      instructions: instructions(conversation),
      turns: [...answered([...context.turns, ...earlier]), { role: 'user', content: input }],
    },
    proposalSchema(),
  );
  if (isNotConfigured(answer)) throw notConfigured('The language model');
  if (answer.kind === 'done') {
    const { value } = answer.value;
    const said = [
      ...context.turns.flatMap(({ role, content }) => (role === 'user' ? [content] : [])),
      ...(conversation?.said ?? []),
      input,
    ];
    const { intent, language } = value;
    return { intent, language, parameters: grounded(given(value), said) };
  }
  // It answered, and made no sense: neither did we then.
  if (answer.kind === 'refused' && answer.code === 'MODEL_ANSWER_INVALID')
    return { intent: 'unknown', language: conversation?.language ?? 'en', parameters: {} };
  throw fail('PROVIDER_UNAVAILABLE', 'The language model cannot be reached at the moment', {
    retryAfter: RETRY_S,
  });
}

/** Somebody answered between what a user said and said next, or the two would read as one message. */
const answered = (turns: readonly Said[]): Said[] =>
  turns.flatMap((turn, i) =>
    turn.role === 'user' && turns[i + 1]?.role !== 'assistant'
      ? [turn, { role: 'assistant' as const, content: 'Noted.' }]
      : [turn],
  );
