import { readFile } from 'node:fs/promises';
import { Archipay } from '../../../sdk/src/archipay.ts';
import type { Answered, CallOptions } from '../../../sdk/src/call.ts';
import { type Command, EXIT, type Given, UsageError, wordAt } from '../command.ts';
import type { Session } from '../session.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export const api: Command = {
  name: 'api',
  summary: 'Makes any call, by its name or by method and path',
  usage: 'cards.topUp amount=10.00 … | POST /wallets/fiat currency=USD | GET /events',
  options: {
    data: { type: 'string', value: 'JSON|@FILE', help: 'the body; @- reads it from the input' },
    'idempotency-key': { type: 'string', value: 'KEY', help: 'the same key does it once' },
    'dry-run': { type: 'boolean', help: 'answers what it would do, and does nothing' },
    verbose: { type: 'boolean', help: 'shows status, request id and key' },
  },
  complete: (words) =>
    words.length > 1 ? [] : [...METHODS, ...names().filter((name) => name.includes('.'))],
  async run(session, given) {
    const archipay = await session.client();
    const name = wordAt(given, 0, 'NAME or METHOD');
    const options: CallOptions = {
      ...(given.text('idempotency-key') && { idempotencyKey: given.text('idempotency-key') }),
      ...(given.has('dry-run') && { dryRun: true }),
      signal: session.signal,
    } as CallOptions;
    const isMethod = METHODS.includes(name.toUpperCase());
    const fields = fieldsOf(given.words.slice(isMethod ? 2 : 1));
    const body = { ...(await dataOf(given)), ...fields };
    const answered = await (isMethod
      ? byPath(archipay, [name.toUpperCase(), wordAt(given, 1, 'PATH'), body], options)
      : byName(archipay, name, [body, options]));
    if (given.has('verbose')) describe(session, answered);
    if (typeof answered.data === 'string') session.output.line(answered.data);
    else session.output.thing(answered.data);
    return EXIT.ok;
  },
};

type Method = (
  params: object,
  options: CallOptions,
) => { withResponse(): Promise<Answered<unknown>> };

function byName(
  archipay: Archipay,
  name: string,
  [params, options]: readonly [object, CallOptions],
): Promise<Answered<unknown>> {
  const [resource = '', verb = ''] = name.split('.');
  if (!names().includes(name)) throw new UsageError(`There is no call ${name}`);
  const owner = archipay[resource as keyof Archipay] as unknown as Record<string, Method>;
  const called = owner[verb]?.(params, options);
  if (typeof called?.withResponse === 'function') return called.withResponse();
  throw new UsageError(`${name} is a stream: archipay listen`);
}

/** `cards.topUp`, and all others. */
export function names(): string[] {
  const archipay = new Archipay({ apiKey: 'none' });
  return Object.entries(archipay).flatMap(([resource, owner]) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(owner))
      .filter((verb) => verb !== 'constructor')
      .map((verb) => `${resource}.${verb}`),
  );
}

function byPath(
  archipay: Archipay,
  [method, path, body]: readonly [string, string, object],
  options: CallOptions,
): Promise<Answered<unknown>> {
  const isRead = method === 'GET';
  const search = new URLSearchParams(
    Object.entries(isRead ? body : {}).map(([key, value]): [string, string] => [
      key,
      String(value),
    ]),
  );
  const place = path.replace(/^\/?(api\/)?/, '/');
  const query = search.size > 0 ? `${place.includes('?') ? '&' : '?'}${search}` : '';
  const hasBody = !isRead && (Object.keys(body).length > 0 || method !== 'DELETE');
  return archipay
    .request(method, place + query, { ...options, ...(hasBody && { body }) })
    .withResponse();
}

/** `a=1` is text, `a:=1` is JSON, `a.b=1` is a field of a thing. */
export function fieldsOf(words: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const word of words) {
    const [, path = '', mark, text = ''] = /^([\w.-]+)(:?=)(.*)$/s.exec(word) ?? [];
    if (path === '') throw new UsageError(`${word} is no name=value or name:=json`);
    const names = path.split('.');
    const last = names.pop() ?? '';
    let at = fields;
    for (const name of names) {
      at[name] ??= {};
      at = at[name] as Record<string, unknown>;
    }
    at[last] = mark === ':=' ? json(text) : text;
  }
  return fields;
}

async function dataOf(given: Given): Promise<object> {
  const data = given.text('data');
  if (data === undefined) return {};
  const file = data === '@-' ? '/dev/stdin' : data.slice(1);
  return json(data.startsWith('@') ? await readFile(file, 'utf8') : data) as object;
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${text.slice(0, 40)} is no JSON`);
  }
}

function describe({ output }: Session, answered: Answered<unknown>): void {
  const { status, requestId, idempotencyKey, replayed } = answered;
  output.note(`${status} ${requestId ?? ''}`);
  if (idempotencyKey !== undefined) {
    output.note(`idempotency-key ${idempotencyKey}${replayed ? ' (answered before)' : ''}`);
  }
}
