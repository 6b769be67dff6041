import { setTimeout as pause } from 'node:timers/promises';
import { codeOf, fieldOf, parsed } from './answer.ts';
import {
  type Attempt,
  answerOf,
  type Books,
  type Ended,
  type Entry,
  isDone,
  type Operation,
} from './books.ts';

/** The time that a client tries before it leaves an operation open for later. */
export interface Patience {
  readonly attempts: number;
  /** Of one attempt. */
  readonly timeoutMs: number;
  /** The pause before the second attempt, and its growth for each further one. */
  readonly pauseMs: number;
  readonly growth: number;
  /** The time up to which it polls while the service answers in progress. */
  busyUntil(operation: Operation): number;
  /** The time after which it is left open, even after few attempts. */
  readonly mostMs: number;
}

const IN_PROGRESS = 'IDEMPOTENCY_IN_PROGRESS';

/** The patience of people at a shop. */
export const IN_THE_STORM: Patience = {
  attempts: 6,
  timeoutMs: 4_000,
  pauseMs: 120,
  growth: 1.6,
  busyUntil: () => 0,
  mostMs: 60_000,
};

/** The outcome of an operation is not known yet; the client repeats it later. */
export class Open extends Error {
  override readonly name = 'Open';
}

/** The service has refused an operation, so nothing builds on it. */
export class Refused extends Error {
  override readonly name = 'Refused';
}

/** Does an operation, or answers its earlier answer. Throws `Open` and `Refused`. */
export type Ask = (operation: Operation) => Promise<unknown>;

export interface Server {
  readonly number: number;
  /** `http://127.0.0.1:4240/api` */
  api(): string;
}

export interface ClientDeps {
  readonly books: Books;
  /** The processes that answer. */
  readonly servers: readonly Server[];
  readonly apiKey: string;
  /** Milliseconds since the run began. */
  now(): number;
}

/** Calls with that patience, each attempt at another process, always under the operation's own key. */
export function asking(deps: ClientDeps, patience: Patience): Ask {
  return async (operation) => {
    const entry = deps.books.entry(operation);
    const leavesAt = deps.now() + patience.mostMs;
    let pauseMs = patience.pauseMs;
    for (let n = 0; entry.ended === undefined; n += 1) {
      const isEnough = n >= patience.attempts || deps.now() > leavesAt;
      const waits = isBusy(entry.attempts.at(-1)) && deps.now() < patience.busyUntil(operation);
      if (isEnough && !waits) throw new Open(operation.key);
      if (n > 0) await pause(pauseMs);
      if (n > 0) pauseMs *= patience.growth;
      const { attempt, ended } = await send(
        deps,
        operation,
        entry.attempts.length,
        patience.timeoutMs,
      );
      entry.attempts.push(attempt);
      entry.ended ??= ended;
    }
    if (!isDone(entry)) throw new Refused(operation.key);
    return answerOf(entry);
  };
}

/** The service answers that the operation is in progress. */
export const isBusy = (attempt: Attempt | undefined): boolean => attempt?.code === IN_PROGRESS;

/** Repeats a finished request, and answers its current end. */
export async function askAgain(deps: ClientDeps, entry: Entry, timeoutMs: number) {
  const { attempt, ended } = await send(deps, entry.operation, entry.attempts.length, timeoutMs);
  entry.attempts.push(attempt);
  return ended;
}

interface Heard {
  readonly attempt: Attempt;
  readonly ended: Ended | undefined;
}

async function send(
  { servers, apiKey, now }: ClientDeps,
  { key, method, path, token, body, leftOpenBy = [] }: Operation,
  n: number,
  timeoutMs: number,
): Promise<Heard> {
  const server = servers[n % servers.length];
  if (server === undefined) throw new Error('No process answers requests');
  const at = Math.round(now());
  const seen = () => ({ at, ms: Math.round(now()) - at, member: server.number });
  try {
    const reply = await fetch(`${server.api()}${path}`, {
      method,
      headers: {
        'x-api-key': apiKey,
        'content-type': 'application/json',
        'idempotency-key': key,
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await reply.text();
    const { status } = reply;
    const code = codeOf(parsed(text));
    const request_id = fieldOf(parsed(text), 'request_id');
    return {
      attempt: {
        ...seen(),
        status,
        code,
        ...(typeof request_id === 'string' && { request_id }),
      },
      ended: leftOpenBy.includes(code ?? '') ? undefined : endingOf(status, code, text),
    };
  } catch (error) {
    return { attempt: { ...seen(), lost: reasonOf(error) }, ended: undefined };
  }
}

function reasonOf(error: unknown): string {
  const { name, cause } = error as Error & { cause?: { code?: string } };
  return cause?.code ?? name;
}

/** The 500s of the contract that are final answers. */
const DECIDED = ['ORIGINAL_NOT_FOUND', 'ALREADY_REFUNDED'];

/** Undefined while it may still happen, or may have happened. */
function endingOf(status: number, code: string | undefined, text: string): Ended | undefined {
  if (status < 300) return { kind: 'done', status, text };
  if (code === 'IDEMPOTENCY_ANSWER_NOT_KEPT') return { kind: 'done-unseen' };
  if (code === IN_PROGRESS || status === 429) return undefined;
  if (status >= 500 && !DECIDED.includes(code ?? '')) return undefined;
  return { kind: 'refused', status, text, ...(code !== undefined && { code }) };
}
