import { EXAMPLES } from './examples.generated.ts';
import type { Events, EventType } from './types.generated.ts';
import { sign } from './webhooks.ts';

/** An event as the reference shows it, for tests of a receiver. */
export function exampleEvent<Type extends EventType>(
  type: Type,
  fields: Readonly<Record<string, unknown>> = {},
): Events[Type] {
  return {
    id: `evt_${crypto.randomUUID().replaceAll('-', '').slice(0, 26).toUpperCase()}`,
    type,
    timestamp: new Date().toISOString(),
    schema_version: 1,
    client_id: 1,
    sequence: 1,
    live: false,
    object: { type: type.split('.')[0] ?? type, id: '1', version: 1 },
    request: { id: null, idempotency_key: null },
    data: EXAMPLES[type],
    ...fields,
  } as unknown as Events[Type];
}

/** Body and headers of a delivery of the event. */
export async function signWebhook(
  event: { readonly id: string },
  secret: string,
  at: Date = new Date(),
): Promise<{ readonly body: string; readonly headers: Record<string, string> }> {
  const body = JSON.stringify(event);
  return { body, headers: await sign(body, secret, { id: event.id, at }) };
}

export interface FakeCall {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly body: unknown;
}
type Answer =
  | Response
  | {
      readonly status?: number;
      readonly body?: unknown;
      readonly headers?: Record<string, string>;
    };

/** A `fetch` for tests without a service: a function for each `GET /path`. What was sent is in `calls`. */
export function fakeFetch(
  answers: Readonly<Record<string, (call: FakeCall) => Answer | Promise<Answer>>>,
): typeof fetch & { readonly calls: readonly FakeCall[] } {
  const calls: FakeCall[] = [];
  const fake = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input instanceof Request ? input.url : input);
    const path = url.pathname.replace(/^\/api(?=\/)/, '');
    const method = init.method ?? 'GET';
    const body = typeof init.body === 'string' ? JSON.parse(init.body) : init.body;
    const call = { method, path: path + url.search, headers: new Headers(init.headers), body };
    calls.push(call);
    const answer = answers[`${method} ${path}`];
    if (!answer) throw new TypeError(`Nothing answers ${method} ${path}`);
    const given = await answer(call);
    if (given instanceof Response) return given;
    return Response.json(given.body ?? {}, {
      status: given.status ?? 200,
      ...(given.headers && { headers: given.headers }),
    });
  };
  return Object.assign(fake as typeof fetch, { calls });
}
