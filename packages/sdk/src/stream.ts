import type { CallOptions } from './call.ts';
import { ArchipayError, errorOf, NotFoundError } from './errors.ts';
import type { Request } from './request.ts';
import { type Connection, headersOf, paused } from './send.ts';
import type { ArchipayEvent } from './types.generated.ts';

export interface StreamOptions
  extends Pick<CallOptions, 'headers' | 'signal' | 'token' | 'version'> {
  /** Fails where a number is missing. Only of all events of a client: filters and single people skip numbers. */
  readonly gapless?: boolean;
  /** When the stream has begun, and after which event. */
  readonly onReady?: (after: number) => unknown;
}

/** Events are missing between two that the stream has brought. */
export class EventsMissingError extends ArchipayError {
  override readonly name = 'EventsMissingError';
}

/** The log no longer has the next event: read the objects themselves, and go on from `oldest`. */
export class EventsExpiredError extends NotFoundError {
  override readonly name: string = 'EventsExpiredError';
  /** The number of the oldest event that is kept. */
  get oldest(): number | undefined {
    const { oldest } = (this.details ?? {}) as { readonly oldest?: unknown };
    return typeof oldest === 'number' ? oldest : undefined;
  }
}

/** The server beats each 15 seconds; three missed beats are a dead connection. */
const SILENCE_MAX = 45_000;

interface Frame {
  readonly id?: string;
  readonly event?: string;
  readonly data?: string;
}

/** Events as they come; a connection that ends is made again where it ended. */
export class EventStream implements AsyncIterable<ArchipayEvent> {
  readonly #connection: Connection;
  readonly #request: Request;
  readonly #options: StreamOptions;
  #last: string | undefined;
  #sequence: number | undefined;

  constructor(connection: Connection, request: Request, options: StreamOptions = {}) {
    this.#connection = connection;
    this.#request = request;
    this.#options = options;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<ArchipayEvent, void, undefined> {
    const { signal } = this.#options;
    for (let failures = 0; !signal?.aborted; ) {
      try {
        for await (const frame of this.#frames()) {
          failures = 0;
          const event = this.#eventOf(frame);
          if (event) yield event;
        }
      } catch (error) {
        if (signal?.aborted) return;
        if (error instanceof ArchipayError && !error.retryable) throw error;
        failures += 1;
      }
      const wait = failures === 0 ? 0 : Math.random() * Math.min(8000, 500 * 2 ** failures);
      if (!(await paused(wait, signal))) return;
    }
  }

  #eventOf({ id, event, data = '' }: Frame): ArchipayEvent | undefined {
    if (id !== undefined) this.#last = id;
    if (event === 'ready') {
      this.#options.onReady?.(Number(JSON.parse(data).after));
      return undefined;
    }
    if (data === '') return undefined;
    const read = JSON.parse(data) as ArchipayEvent & { readonly sequence: number };
    const before = this.#sequence;
    this.#sequence = read.sequence;
    if (this.#options.gapless && before !== undefined && read.sequence !== before + 1) {
      throw new EventsMissingError(`Events ${before + 1} to ${read.sequence - 1} are missing`, {
        code: 'EVENTS_MISSING',
      });
    }
    return read;
  }

  async *#frames(): AsyncGenerator<Frame, void, undefined> {
    const { fetch, url } = this.#connection;
    const dead = new AbortController();
    let timer = setTimeout(() => dead.abort(), SILENCE_MAX);
    try {
      const { signal } = this.#options;
      const reply = await fetch(url + this.#request.path, {
        headers: {
          ...headersOf(this.#connection, this.#request, { options: this.#options }),
          accept: 'text/event-stream, application/json;q=0.5',
          ...(this.#last !== undefined && { 'last-event-id': this.#last }),
        },
        signal: signal ? AbortSignal.any([signal, dead.signal]) : dead.signal,
      });
      if (!reply.ok || !reply.body) throw await refused(reply);
      const decoder = new TextDecoder();
      const reader = reply.body.getReader();
      let text = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        clearTimeout(timer);
        timer = setTimeout(() => dead.abort(), SILENCE_MAX);
        text += decoder.decode(value, { stream: true });
        const parts = text.split('\n\n');
        text = parts.pop() ?? '';
        for (const part of parts) yield frameOf(part);
      }
    } finally {
      clearTimeout(timer);
      dead.abort();
    }
  }
}

async function refused(reply: Response): Promise<ArchipayError> {
  const { status, headers } = reply;
  const retryable = headers.get('x-should-retry') === 'true' || status === 429 || status >= 500;
  const text = await reply.text();
  const error = errorOf(status, text, { headers, retryable });
  if (error.code !== 'EVENTS_EXPIRED') return error;
  const { message, code, hint, docUrl, requestId } = error;
  const known = { hint, docUrl, requestId };
  const facts = Object.fromEntries(Object.entries(known).filter(([, one]) => one !== undefined));
  const details = JSON.parse(text).error;
  return new EventsExpiredError(message, { ...facts, code, status, headers, details });
}

function frameOf(text: string): Frame {
  const fields = text.split('\n').flatMap((line): [string, string][] => {
    const place = line.indexOf(':');
    return place < 1 ? [] : [[line.slice(0, place), line.slice(place + 1).replace(/^ /, '')]];
  });
  return Object.fromEntries(fields);
}
