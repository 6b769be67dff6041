import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from './people.ts';

/** The answers, for the drill's checks. */
export interface Heard {
  readonly sentMs: number;
  readonly atMs: number;
  /** 0 without an answer. */
  readonly status: number;
  readonly code: string;
}

/** One top-up that the service has acknowledged. */
export interface Acknowledged {
  readonly reference_id: string;
  readonly amount: number;
  readonly net_amount: number;
}

export interface Client {
  readonly person: Person;
  readonly acknowledged: readonly Acknowledged[];
  /** The number of unanswered ones. */
  open(): number;
  /** Throws a forbidden answer once a client has received one. */
  check(): void;
  /** Begins nothing new, and ends when all open requests are answered. */
  stop(): Promise<void>;
}

/** Like most clients', and longer than a request may take. */
const PATIENCE_MS = 10_000;
const BETWEEN_MS = 80;
/** Sooner than `Retry-After`, to find the earliest success; not so soon that limits apply. */
const AGAIN_MS = 500;
const PENDING_MS = 5000;
/** The allowed answers of a service whose database is unreachable; the client repeats after them. */
const PASSING = new Set([0, 409, 429, 503]);

/**
 * Tops up from a card, again and again, each with an `Idempotency-Key` of its own that is repeated until
 * it is answered, each time at another process. An unconfirmed one is
 * put aside, and repeated beside the next ones.
 */
export function startClient(
  person: Person,
  apis: readonly string[],
  hear: (heard: Heard) => void,
): Client {
  const acknowledged: Acknowledged[] = [];
  const aside: Promise<void>[] = [];
  let [open, calls, stopped] = [0, person.user_id, false];
  let failure: Error | undefined;

  /** Ends when it is answered, or put aside if it is not confirmed yet. */
  async function topUp(key: string, amount: number, isAside = false): Promise<void> {
    for (;;) {
      calls += 1;
      const sentMs = performance.now();
      const { status, body } = await ask(`${apis[calls % apis.length]}`, person, key, amount);
      const code = String(body?.code ?? '');
      hear({ sentMs, atMs: performance.now(), status, code });
      if (status === 200) {
        acknowledged.push(body.data);
        open -= 1;
        return;
      }
      if (!PASSING.has(status)) throw new Error(`Answered ${status} ${JSON.stringify(body)}`);
      const isPending = body?.details?.status === 'PENDING';
      if (isPending && !isAside) {
        aside.push(topUp(key, amount, true).catch(fail));
        return;
      }
      await pause(isPending ? PENDING_MS : AGAIN_MS);
    }
  }

  const fail = (error: Error): void => {
    failure ??= error;
  };
  const work = async () => {
    for (let n = 0; !stopped; n += 1) {
      open += 1;
      await topUp(randomUUID(), 10 + (n % 90));
      await pause(BETWEEN_MS);
    }
    await Promise.all(aside);
  };
  const working = work().catch(fail);
  return {
    person,
    acknowledged,
    open: () => open,
    check() {
      if (failure) throw failure;
    },
    async stop() {
      stopped = true;
      await working;
      if (failure) throw failure;
    },
  };
}

// biome-ignore lint/suspicious/noExplicitAny: any answer of the service
type Answer = { readonly status: number; readonly body: any };

async function ask(api: string, person: Person, key: string, amount: number): Promise<Answer> {
  try {
    const reply = await fetch(`${api}/card-checkout/cardcc`, {
      method: 'POST',
      headers: {
        'x-api-key': person.apiKey,
        authorization: `Bearer ${person.token}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({
        card_number: '4111111111111111',
        expiry_date: '1239',
        amount,
        currency_code: 'USD',
      }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: reply.status, body: await reply.json() };
  } catch {
    return { status: 0, body: undefined };
  }
}
