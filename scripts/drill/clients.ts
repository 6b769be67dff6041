import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Person } from './people.ts';

/** What was heard, for the drill to judge by. */
export interface Heard {
  readonly sentMs: number;
  readonly atMs: number;
  /** 0 where there was no answer. */
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
  /** How many are not answered yet. */
  open(): number;
  /** Throws what no client may ever hear, once it has heard it. */
  check(): void;
  /** Begins nothing new, and ends when what was begun is answered. */
  stop(): Promise<void>;
}

/** Like most clients', and longer than a request may take. */
const PATIENCE_MS = 10_000;
const BETWEEN_MS = 80;
/** Sooner than `Retry-After` says, to see when it first could be; not so soon that limits are met. */
const AGAIN_MS = 500;
const PENDING_MS = 5000;
/** What a client may hear of a service whose database is away, and asks again after. */
const PASSING = new Set([0, 409, 429, 503]);

/**
 * Tops up from a card, again and again, each with an `Idempotency-Key` of its own that is repeated until
 * it is answered, each time at another process. What the card network has not confirmed is put aside,
 * and repeated beside the next ones.
 */
export function startClient(
  person: Person,
  apis: readonly string[],
  hear: (heard: Heard) => void,
): Client {
  const acknowledged: Acknowledged[] = [];
  const aside: Promise<void>[] = [];
  let [open, asked, stopped] = [0, person.user_id, false];
  let failure: Error | undefined;

  /** Ends when it is answered, or put aside where it is not there yet. */
  async function topUp(key: string, amount: number, isAside = false): Promise<void> {
    for (;;) {
      asked += 1;
      const sentMs = performance.now();
      const { status, body } = await ask(`${apis[asked % apis.length]}`, person, key, amount);
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

// biome-ignore lint/suspicious/noExplicitAny: whatever the service answers
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
