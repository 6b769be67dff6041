import { WebhookSignatureError } from './errors.ts';
import type { ArchipayEvent, Events, EventType } from './types.generated.ts';

type HeaderBag = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface UnwrapOptions {
  /** One, or those of a rotation. */
  readonly secrets: string | readonly string[];
  /** Seconds that the timestamp may be away from now; default 300. */
  readonly tolerance?: number;
}

/** The event of a webhook whose signature is good. It takes the body as it came: text or bytes, not a parsed object. */
export async function unwrap(
  raw: string | Uint8Array,
  headers: HeaderBag,
  { secrets, tolerance = 300 }: UnwrapOptions,
): Promise<ArchipayEvent> {
  if (typeof raw !== 'string' && !(raw instanceof Uint8Array)) {
    throw refusal(
      'The body has been parsed already, and a signature is of the bytes: pass it as it came (express.raw, request.text())',
    );
  }
  const id = header(headers, 'webhook-id');
  const timestamp = header(headers, 'webhook-timestamp');
  const sent = header(headers, 'webhook-signature');
  if (!id || !timestamp || !sent) throw refusal('A header of the signature is missing');
  const age = Math.abs(Date.now() / 1000 - Number(timestamp));
  if (!(age <= tolerance)) throw refusal('The timestamp is too far from now');
  const body = typeof raw === 'string' ? new TextEncoder().encode(raw) : raw;
  const content = new Uint8Array([...new TextEncoder().encode(`${id}.${timestamp}.`), ...body]);
  const known = sent.split(' ').flatMap((one) => (one.startsWith('v1,') ? [one.slice(3)] : []));
  for (const secret of [secrets].flat()) {
    const key = await keyOf(secret, 'verify');
    for (const signature of known) {
      const bytes = decoded(signature);
      if (bytes && (await crypto.subtle.verify('HMAC', key, bytes, content))) {
        return JSON.parse(new TextDecoder().decode(body));
      }
    }
  }
  throw refusal('No signature is of these secrets');
}

const refusal = (message: string) => new WebhookSignatureError(message, { code: 'BAD_SIGNATURE' });

function header(headers: HeaderBag, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

function keyOf(secret: string, use: 'sign' | 'verify'): ReturnType<typeof crypto.subtle.importKey> {
  const bytes = decoded(secret.replace(/^whsec_/, ''));
  if (!bytes) throw refusal('The secret is not of the form whsec_…');
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, [use]);
}

function decoded(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** The headers of a webhook, as the service makes them. */
export async function sign(
  body: string,
  secret: string,
  { id, at = new Date() }: { readonly id: string; readonly at?: Date },
): Promise<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const mac = await crypto.subtle.sign('HMAC', await keyOf(secret, 'sign'), content);
  const text = btoa(String.fromCharCode(...new Uint8Array(mac)));
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${text}`,
  };
}

/** Remembers the ids of events that were handled. */
export interface Seen {
  /** Whether the event was handled before. */
  has(id: string): boolean | Promise<boolean>;
  add(id: string): unknown;
}
export interface HandlerOptions extends UnwrapOptions {
  readonly seen?: Seen;
}
type Group = EventType extends infer Type
  ? Type extends `${infer Thing}.${string}`
    ? `${Thing}.*`
    : never
  : never;
type Of<Pattern> = Pattern extends EventType
  ? Events[Pattern]
  : Pattern extends `${infer Thing}.*`
    ? Events[Extract<EventType, `${Thing}.${string}`>]
    : never;
type Act = (event: ArchipayEvent) => unknown;

/** The receiver of webhooks: a function for each type, and one for all others. */
export class WebhookHandler {
  readonly #options: HandlerOptions;
  readonly #acts = new Map<string, Act>();
  #otherwise: Act | undefined;

  constructor(options: HandlerOptions) {
    this.#options = options;
  }

  /** For `payment.succeeded`, or `payment.*`. */
  on<Pattern extends EventType | Group>(
    pattern: Pattern,
    act: (event: Of<Pattern>) => unknown,
  ): this {
    this.#acts.set(pattern, act as Act);
    return this;
  }

  /** For all others. Types are added over time, so it has to be given. */
  otherwise(act: Act): this {
    this.#otherwise = act;
    return this;
  }

  /** The status of the answer to a delivery: 204 done, 400 not signed, 500 to be sent again. */
  async receive(raw: string | Uint8Array, headers: HeaderBag): Promise<204 | 400 | 500> {
    if (!this.#otherwise) throw new TypeError('A handler needs otherwise()');
    const { seen } = this.#options;
    try {
      const event = await unwrap(raw, headers, this.#options);
      if (await seen?.has(event.id)) return 204;
      const [thing] = event.type.split('.');
      const act = this.#acts.get(event.type) ?? this.#acts.get(`${thing}.*`) ?? this.#otherwise;
      await act(event);
      await seen?.add(event.id);
      return 204;
    } catch (error) {
      return error instanceof WebhookSignatureError ? 400 : 500;
    }
  }

  /** For servers that have `Request` and `Response`. */
  readonly fetch = async (request: Request): Promise<Response> => {
    const raw = new Uint8Array(await request.arrayBuffer());
    return new Response(null, { status: await this.receive(raw, request.headers) });
  };

  /** For Node's `http`. */
  readonly node = async (request: NodeRequest, response: NodeResponse): Promise<void> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = new Uint8Array(await new Blob(chunks as Uint8Array<ArrayBuffer>[]).arrayBuffer());
    response.writeHead(await this.receive(raw, request.headers)).end();
  };
}

interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}
interface NodeResponse {
  writeHead(status: number): { end(): unknown };
}
