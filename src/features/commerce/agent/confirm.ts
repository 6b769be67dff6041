import { plainDecimal } from '#kernel/money/amount-text.ts';
import { transact } from '#kernel/transact.ts';
import { ENDPOINTS, followPlan, type Transfers } from './carry-out.ts';
import {
  agreeTo,
  askForCode,
  type Confirmation,
  cancelOpen,
  latestOf,
} from './confirmation-store.ts';
import type { Context } from './context.ts';
import type { AgentDeps, ChatMessage } from './deps.ts';
import type { Language } from './intent.ts';
import { type Conversation, endConversation } from './store.ts';
import * as texts from './texts.ts';
import { type AgentTurn, nothing, toConfirm } from './turn.ts';

interface Yes {
  readonly code: string | undefined;
  readonly context: Context;
  readonly conversation: Conversation | undefined;
}

/** For how long a repeated yes is told what the first one was. */
const RECENT_MS = 10 * 60_000;

/**
 * A yes. It counts for what was asked last, and only where it cannot be meant for anything else; however
 * many come at once, one of them begins it and all hear what it came to.
 */
export async function confirm(
  deps: AgentDeps,
  transfers: Transfers,
  message: ChatMessage,
  { code, context, conversation }: Yes,
): Promise<AgentTurn> {
  const { db, clock, effects, perform } = deps;
  const { caller, request } = message;
  const { user_id } = caller;
  const at = clock.now();
  const latest = await latestOf(db, user_id);
  const language = latest?.language ?? conversation?.language ?? 'en';
  if (latest === undefined || !concerns(latest, conversation, at))
    return nothing(texts.nothingToConfirm(language), language);
  if (latest.status !== 'OPEN') return tell(deps, transfers, latest);
  if (latest.expires_at <= at.toISOString()) return lapsed(deps, user_id, language);
  for (const endpoint of ENDPOINTS[latest.intent]) perform.requireScope(endpoint, caller);
  if (!meansThat(latest, context)) await askForCode(db, user_id, at);
  const begun = await transact(db, async (tx) => {
    const { confirmation_id } = latest;
    const { id, ip, userAgent } = request;
    const asked = { id, ip, userAgent };
    const row = await agreeTo(tx, { user_id, confirmation_id, code, asked, at });
    if (row === undefined) return undefined;
    await endConversation(tx, user_id);
    return { row, intent: await effects.begin(tx, transfers, confirmation_id) };
  });
  if (begun) return tell(deps, transfers, begun.row, begun.intent);
  const now = await latestOf(db, user_id);
  // Another yes was quicker, or this one is not enough.
  if (now?.confirmation_id === latest.confirmation_id && now.status !== 'OPEN')
    return now.status === 'CANCELLED' || now.status === 'REPLACED'
      ? nothing(texts.nothingToConfirm(language), language)
      : tell(deps, transfers, now);
  return now?.status === 'OPEN'
    ? toConfirm(now)
    : nothing(texts.nothingToConfirm(language), language);
}

/** Whether a yes can be about it: it is open, being done, or was just done and nothing was said since. */
function concerns(
  { status, ended_at }: Confirmation,
  conversation: Conversation | undefined,
  at: Date,
): boolean {
  if (status === 'OPEN' || status === 'CONFIRMED') return true;
  if (status === 'CANCELLED' || status === 'REPLACED' || conversation !== undefined) return false;
  return ended_at !== null && Date.parse(ended_at) > at.getTime() - RECENT_MS;
}

/** What a caller hands over may say that the yes is meant for something else; it never makes it count. */
function meansThat(
  { confirmation_id, parameters }: Confirmation,
  { confirmation_id: meant, parameters: named }: Context,
): boolean {
  if (meant !== undefined && meant !== confirmation_id) return false;
  const plain = (name: string, value: string) =>
    name === 'amount' ? plainDecimal(value) : value.toLowerCase();
  return Object.entries(named).every(
    ([name, value]) =>
      parameters[name] === undefined ||
      plain(name, String(parameters[name])) === plain(name, value),
  );
}

async function tell(
  deps: AgentDeps,
  transfers: Transfers,
  row: Confirmation,
  intent?: Parameters<typeof followPlan>[3],
): Promise<AgentTurn> {
  const { language, confirmation_id } = row;
  const result = await followPlan(deps, transfers, row, intent);
  if (result === undefined)
    return {
      intent: row.intent,
      message: texts.underWay(language),
      actions: [texts.wordsFor(row)[0], 'history'],
      data: { confirmation: { confirmation_id, status: 'CONFIRMED' } },
    };
  return {
    intent: row.intent,
    message: texts.finished(language, row.intent),
    completed: true,
    data: { ...result, confirmation: { confirmation_id, status: 'DONE' } },
  };
}

async function lapsed(
  { db, clock }: AgentDeps,
  user_id: number,
  language: Language,
): Promise<AgentTurn> {
  await cancelOpen(db, user_id, clock.now());
  await endConversation(db, user_id);
  return nothing(texts.expired(language), language);
}

/** A no: nothing waits any more. What was agreed to before goes on, and that is told. */
export async function cancel(
  { db, clock }: AgentDeps,
  { caller: { user_id } }: ChatMessage,
  conversation: Conversation | undefined,
  spoken?: Language,
): Promise<AgentTurn> {
  const latest = await latestOf(db, user_id);
  const language = spoken ?? conversation?.language ?? latest?.language ?? 'en';
  await endConversation(db, user_id);
  const wasOpen = await cancelOpen(db, user_id, clock.now());
  if (!wasOpen && (await latestOf(db, user_id))?.status === 'CONFIRMED')
    return { intent: 'cancel', message: texts.tooLate(language) };
  return { intent: 'cancel', message: texts.cancelled(language), cancelled: true };
}
