import { proveFirst } from './proving.ts';
import type { Endpoints } from './shapes.ts';

export type EndpointId = keyof Endpoints;
export type Answer<K extends EndpointId> = Endpoints[K]['answer'];
/** The input of an endpoint: parameters of its address, the query, the body. */
export type Input<K extends EndpointId> = Omit<Endpoints[K], 'answer'>;

type Fields = Readonly<Record<string, string | number | undefined>>;
interface Asked {
  readonly params?: Fields;
  readonly query?: Fields;
  readonly body?: unknown;
}

/** The text of a failure, whichever of its shapes the service answers. */
export class Failure extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly requestId: string | undefined;
  constructor(status: number, said: Said) {
    super(said.message);
    this.status = status;
    this.code = said.code;
    this.hint = said.hint;
    this.requestId = said.request_id;
  }
}

interface Said {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly request_id?: string | undefined;
}

const API = '/api';

/**
 * Calls the service in the name of the signed-in user. Each change has a key, by which the service recognises a
 * repetition: when it needs a fresh proof first, the console repeats the change after it.
 */
export async function ask<K extends EndpointId>(
  id: K,
  input: Input<K>,
  signal?: AbortSignal,
): Promise<Answer<K>> {
  const request = requestOf(id, input, signal);
  const reply = await send(...request);
  if (!(reply instanceof Failure)) return reply as Answer<K>;
  if (reply.code !== 'STEP_UP_REQUIRED') throw reply;
  await proveFirst(reply);
  const again = await send(...request);
  if (again instanceof Failure) throw again;
  return again as Answer<K>;
}

function requestOf(id: string, asked: Asked, signal?: AbortSignal): [string, RequestInit] {
  const [method = 'GET', path = ''] = id.split(' ');
  const place = path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(asked.params?.[name])),
  );
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(asked.query ?? {}))
    if (value !== undefined && value !== '') search.set(name, String(value));
  const headers: Record<string, string> = { 'x-console': '1' };
  if (method !== 'GET') headers['idempotency-key'] = crypto.randomUUID();
  if (asked.body !== undefined) headers['content-type'] = 'application/json';
  const body = asked.body === undefined ? null : JSON.stringify(asked.body);
  const told = { method, headers, body, ...(signal && { signal }) };
  return [`${API}${place}${search.size > 0 ? `?${search}` : ''}`, told];
}

async function send(address: string, request: RequestInit): Promise<unknown> {
  const reply = await fetch(address, request).catch((error: unknown) => {
    if (request.signal?.aborted) throw error;
    throw new Failure(0, { code: 'UNREACHABLE', message: 'The service could not be reached' });
  });
  const body: unknown = await reply.json().catch(() => ({}));
  return reply.ok ? body : new Failure(reply.status, saidIn(body, reply.status));
}

/** Families of endpoints have it in different fields. */
function saidIn(body: unknown, status: number): Said {
  const all = body as Partial<Said> & { error?: string | Partial<Said>; error_code?: string };
  const inner = typeof all.error === 'object' ? all.error : {};
  const flat = typeof all.error === 'string' ? all.error : undefined;
  return {
    code: inner.code ?? all.code ?? all.error_code ?? `HTTP ${status}`,
    message: inner.message ?? all.message ?? flat ?? 'The service gave no reason',
    hint: inner.hint ?? all.hint,
    request_id: all.request_id,
  };
}
