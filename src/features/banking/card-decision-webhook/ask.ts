import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Secret, signed } from '#features/messaging/webhooks/webhooks.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { type Money, money } from '#kernel/money/money.ts';
import type { Outbound, OutboundAnswer } from '#kernel/outbound/outbound.ts';
import { type DecisionWebhook, decisionSecretContext } from './store.ts';

/** What a client's system has said. Whatever is no answer leaves it to the fallback of the client. */
export type ClientAnswer =
  | { readonly said: 'approve'; readonly units: bigint | undefined }
  | { readonly said: 'decline'; readonly reason: string | undefined }
  | { readonly said: 'late' | 'broken' | 'busy' };

export interface ClientQuestion {
  /** Of the decision: the same in each message about it. */
  readonly id: string;
  readonly asked: Money;
  readonly mayBePartial: boolean;
  readonly data: Readonly<Record<string, unknown>>;
  /** What is left of the time of the whole decision, less what its end needs. */
  readonly leftMs: number;
}

export interface AskDeps extends Pick<Kernel, 'clock' | 'vault' | 'shares'> {
  readonly outbound: Outbound;
}

const USER_AGENT = 'Archipay-Decisions/1';
/** Less is no time for an answer. */
const LEAST_MS = 50;
const ANSWER_BYTES_MAX = 4096;

/**
 * Asks a client's system once, outside any transaction, and never longer than the client's time and what is left of the
 * decision's. Each client has a share of the calls at a time, so that one that hangs leaves the others theirs. Never throws.
 */
export async function askClient(
  deps: AskDeps,
  webhook: DecisionWebhook,
  question: ClientQuestion,
): Promise<ClientAnswer> {
  const { client_id } = webhook;
  const totalMs = Math.min(webhook.timeout_ms, Math.floor(question.leftMs));
  if (totalMs < LEAST_MS) return { said: 'late' };
  const client = `client:${client_id}`;
  const place = { one: client, client, isApproved: true };
  const leave = deps.shares.ceilings.decisions.take(place);
  if (typeof leave !== 'function') return { said: 'busy' };
  try {
    return answerOf(await inTime(totalMs, send(deps, webhook, question, totalMs)), question);
  } catch {
    return { said: 'broken' };
  } finally {
    leave();
  }
}

function send(
  { outbound, clock, vault }: AskDeps,
  { client_id, url, secrets_sealed }: DecisionWebhook,
  { id, data }: ClientQuestion,
  totalMs: number,
): Promise<OutboundAnswer> {
  const secrets: readonly Secret[] = JSON.parse(
    vault.open(secrets_sealed, decisionSecretContext(client_id)),
  );
  const now = clock.now();
  const body = JSON.stringify({
    type: 'card_decision.requested',
    timestamp: now.toISOString(),
    data,
  });
  return outbound.post({
    name: 'card decision',
    url,
    headers: {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signed(id, body, secrets, now),
    },
    body,
    limits: { totalMs, wireMax: ANSWER_BYTES_MAX, plainMax: ANSWER_BYTES_MAX },
  });
}

const LATE: OutboundAnswer = { kind: 'lost', cause: 'TIMEOUT' };

/** The call ends by itself at that time; a name that is looked up for longer does not hold the decision up. */
async function inTime(ms: number, call: Promise<OutboundAnswer>): Promise<OutboundAnswer> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<OutboundAnswer>((resolve) => {
    timer = setTimeout(() => resolve(LATE), ms);
  });
  try {
    return await Promise.race([call, over]);
  } finally {
    clearTimeout(timer);
  }
}

const Said = Type.Object({
  decision: Type.Union([Type.Literal('approve'), Type.Literal('decline')]),
  amount: Type.Optional(Type.Union([Type.String({ maxLength: 40 }), Type.Number(), Type.Null()])),
  reason: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});
const REASON_MAX = 200;

function answerOf(answer: OutboundAnswer, { asked, mayBePartial }: ClientQuestion): ClientAnswer {
  if (answer.kind === 'lost' && answer.cause === 'TIMEOUT') return { said: 'late' };
  if (answer.kind !== 'reply' || answer.status !== 200 || answer.cut) return { said: 'broken' };
  const said: unknown = JSON.parse(answer.bytes.toString('utf8'));
  if (!Value.Check(Said, said)) return { said: 'broken' };
  if (said.decision === 'decline') return { said: 'decline', reason: reasonOf(said) };
  if (said.amount === undefined || said.amount === null)
    return { said: 'approve', units: undefined };
  const { units } = money(asked.asset, said.amount);
  // It may be less where a part is of use to the shop, and never more.
  const mayBe = units > 0n && (mayBePartial ? units <= asked.units : units === asked.units);
  return mayBe ? { said: 'approve', units } : { said: 'broken' };
}

/** Text that the database can store. */
function reasonOf({ reason }: Static<typeof Said>): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
  const text = (reason ?? '').replace(/[\0-\x1f\x7f]/g, ' ').trim();
  return [...text.toWellFormed()].slice(0, REASON_MAX).join('').trim() || undefined;
}
