import { plainDecimal } from '#kernel/money/amount-text.ts';
import { transact } from '#kernel/transact.ts';
import { confirmPolicy } from './confirm-policy.ts';
import {
  type Confirmation,
  cancelOpen,
  confirmOpen,
  latestConfirmation,
  requireCode,
} from './confirmation-store.ts';
import type { Context } from './context.ts';
import type { AgentDeps, ChatMessage } from './deps.ts';
import type { Language } from './intent.ts';
import { type Conversation, endConversation } from './store.ts';
import * as texts from './texts.ts';
import { followTransfer, MOVING_TOOLS, type Transfers } from './transfer-effect.ts';
import { type AgentTurn, askForIntent, toConfirm } from './turn.ts';

interface Yes {
  readonly code: string | undefined;
  readonly context: Context;
  readonly conversation: Conversation | undefined;
}

/** How long a repeated yes is answered with the result of the first one. */
const RECENT_MS = 10 * 60_000;

/**
 * A yes. It counts for the latest confirmation, and only where it cannot mean anything else; of any number
 * at once, one begins the transfer and all are answered with its result.
 */
export async function confirm(
  deps: AgentDeps,
  transfers: Transfers,
  { caller, request }: ChatMessage,
  { code, context, conversation }: Yes,
): Promise<AgentTurn> {
  const { db, clock, effects, policies, tools } = deps;
  const { user_id } = caller;
  const at = clock.now();
  const latest = await latestConfirmation(db, user_id);
  const language = latest?.language ?? conversation?.language ?? 'en';
  const nothing = askForIntent(texts.nothingToConfirm(language), language);
  if (latest === undefined || !mayConfirm(latest, conversation, at)) return nothing;
  if (latest.status !== 'OPEN') return resultOf(deps, transfers, latest);
  if (latest.expires_at <= at.toISOString()) return expire(deps, user_id, language);
  for (const tool of MOVING_TOOLS[latest.intent]) tools.requireScope(tool, caller);
  if (!fits(latest, context)) await requireCode(db, user_id, at);
  const { confirmation_id } = latest;
  const begun = await transact(db, async (tx) => {
    const { id, ip, userAgent } = request;
    const asked = { id, ip, userAgent };
    const row = await confirmOpen(tx, { user_id, confirmation_id, code, asked, at });
    if (row === undefined) return undefined;
    await policies.decide(tx, confirmPolicy(row, { caller, request }));
    await endConversation(tx, user_id);
    return { row, intent: await effects.begin(tx, transfers, confirmation_id) };
  });
  if (begun) return resultOf(deps, transfers, begun.row, begun.intent);
  // Another yes was quicker, or this one lacks the code.
  const now = await latestConfirmation(db, user_id);
  if (now?.status === 'OPEN') return toConfirm(now);
  const isConfirmed = now?.confirmation_id === confirmation_id && !isWithdrawn(now);
  return isConfirmed ? resultOf(deps, transfers, now) : nothing;
}

/** Whether a yes may mean it: it is open or in flight, or has just ended and the user has said nothing since. */
function mayConfirm(
  confirmation: Confirmation,
  conversation: Conversation | undefined,
  at: Date,
): boolean {
  const { status, ended_at } = confirmation;
  if (status === 'OPEN' || status === 'CONFIRMED') return true;
  if (isWithdrawn(confirmation) || conversation !== undefined) return false;
  return ended_at !== null && Date.parse(ended_at) > at.getTime() - RECENT_MS;
}

const isWithdrawn = ({ status }: Confirmation): boolean =>
  status === 'CANCELLED' || status === 'REPLACED';

/** A caller's context may show that the yes means something else; it never makes a yes count. */
function fits(
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

async function resultOf(
  deps: AgentDeps,
  transfers: Transfers,
  row: Confirmation,
  intent?: Parameters<typeof followTransfer>[3],
): Promise<AgentTurn> {
  const { language, confirmation_id } = row;
  const result = await followTransfer(deps, transfers, row, intent);
  if (result === undefined)
    return {
      intent: row.intent,
      message: texts.inFlight(language),
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

async function expire(
  { db, clock }: AgentDeps,
  user_id: number,
  language: Language,
): Promise<AgentTurn> {
  await cancelOpen(db, user_id, clock.now());
  await endConversation(db, user_id);
  return askForIntent(texts.expired(language), language);
}

/** A no cancels the open confirmation. A transfer that is confirmed already goes on, and the answer says so. */
export async function cancel(
  { db, clock }: AgentDeps,
  { caller: { user_id } }: ChatMessage,
  conversation: Conversation | undefined,
  spoken?: Language,
): Promise<AgentTurn> {
  const latest = await latestConfirmation(db, user_id);
  const language = spoken ?? conversation?.language ?? latest?.language ?? 'en';
  await endConversation(db, user_id);
  const wasOpen = await cancelOpen(db, user_id, clock.now());
  if (!wasOpen && (await latestConfirmation(db, user_id))?.status === 'CONFIRMED')
    return { intent: 'cancel', message: texts.tooLate(language) };
  return { intent: 'cancel', message: texts.cancelled(language), cancelled: true };
}
