import { randomBytes } from 'node:crypto';
import { exampleEvent } from '../../../sdk/src/testing.ts';
import type { EventType } from '../../../sdk/src/types.generated.ts';
import { sign } from '../../../sdk/src/webhooks.ts';

export interface Delivery {
  readonly event?: object;
  /** Instead of the event as JSON. */
  readonly body?: string;
  readonly id?: string;
  readonly at?: Date;
  readonly secret?: string;
  /** Changes the headers of the signature. */
  readonly headers?: (signed: Record<string, string>) => Record<string, string>;
  readonly attempt?: number;
}

export interface Answer {
  /** 0 where there was none. */
  readonly status: number;
  readonly ms: number;
}

/** The service gives up a delivery after this. */
export const ANSWER_MS = 15_000;

/** Somebody's receiver of webhooks, as the service meets it. */
export class Receiver {
  readonly secret: string;
  readonly #url: URL;
  readonly #probe: string | undefined;
  /** What was sent and answered, for the report. */
  readonly trace: { id: string; status: number; ms: number }[] = [];

  constructor(url: URL, secret: string, probe?: string) {
    this.secret = secret;
    this.#url = url;
    this.#probe = probe;
  }

  /** An event of that type with an id of its own. */
  event(type: EventType | (string & {}) = 'payment.succeeded', fields: object = {}) {
    const id = `evt_${randomBytes(13).toString('hex').toUpperCase()}`;
    return { ...exampleEvent('payment.succeeded', { id }), type, ...fields, id };
  }

  async send(delivery: Delivery): Promise<Answer> {
    const body = delivery.body ?? JSON.stringify(delivery.event);
    const id = delivery.id ?? String((delivery.event as { id?: string } | undefined)?.id);
    const at = delivery.at ?? new Date();
    const signed = await sign(body, delivery.secret ?? this.secret, { id, at });
    const headers = { 'webhook-attempt': String(delivery.attempt ?? 1), ...signed };
    const began = performance.now();
    const status = await fetch(this.#url, {
      method: 'POST',
      headers: delivery.headers?.(headers) ?? headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS),
    }).then(
      async (reply) => {
        await reply.arrayBuffer();
        return reply.status;
      },
      () => 0,
    );
    const ms = Math.round(performance.now() - began);
    this.trace.push({ id, status, ms });
    return { status, ms };
  }

  async read(): Promise<number> {
    const reply = await fetch(this.#url, { signal: AbortSignal.timeout(ANSWER_MS) }).catch(
      () => undefined,
    );
    return reply?.status ?? 0;
  }

  /** How often the receiver has acted on that event; undefined where nothing tells it. */
  async count(id: string): Promise<number | undefined> {
    if (this.#probe === undefined) return undefined;
    const at = new URL(this.#probe);
    at.searchParams.set('event', id);
    const reply = await fetch(at, { signal: AbortSignal.timeout(ANSWER_MS) });
    const { count } = (await reply.json()) as { count?: unknown };
    return typeof count === 'number' ? count : undefined;
  }
}
