import { setTimeout as pause } from 'node:timers/promises';

/** An answer that the demo did not expect; ends it. */
export class UnexpectedResponse extends Error {
  override readonly name = 'UnexpectedResponse';
}

export interface Person {
  readonly token: string;
}

export interface Call {
  /** Whose token goes along. */
  readonly as?: Person;
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** The only expected status. Otherwise any success will do. */
  readonly status?: number;
  /** The text to print about the answer. */
  readonly describe?: (answer: Answer) => string;
}

/** A JSON body whose fields are read by their path; a missing one is unexpected. */
export interface Answer {
  readonly body: unknown;
  text(path: string): string;
  number(path: string): number;
  list(path: string): unknown[];
}

export interface Service {
  /** Prints a heading. */
  part(title: string): void;
  /** Prints a line about a finding. */
  note(line: string): void;
  /** The API key of all further calls. */
  useKey(key: string): void;
  /** Calls the API: `POST /auth/login`. */
  call(id: string, call?: Call): Promise<Answer>;
  /** Polls until the answer is as wanted, and prints that one. */
  until(id: string, call: Call, isThere: (answer: Answer) => boolean): Promise<Answer>;
  /** Calls a control of the sandbox. */
  sandbox(id: string, body?: object): Promise<Answer>;
  /** The text after `label: ` in the newest unread message to that receiver. */
  message(to: string, label: string): Promise<string>;
}

const MESSAGE_MS = 20_000;
const UNTIL_MS = 60_000;
const POLL_MS = 100;

/** A running service and its sandbox, over HTTP and nothing else. */
export function connect(apiUrl: string, sandboxUrl: string): Service {
  const read = new Set<unknown>();
  let key: string | undefined;
  let parts = 0;

  async function ask(id: string, call: Call) {
    const { as, headers } = call;
    const reply = await send(apiUrl, id, call, {
      ...(key === undefined ? {} : { 'x-api-key': key }),
      ...(as ? { authorization: `Bearer ${as.token}` } : {}),
      ...headers,
    });
    mustBe(id, reply.status, call.status, reply.answer);
    return reply;
  }
  const print = (id: string, { describe }: Call, status: number, answer: Answer) =>
    console.log(`    ${id}  ${status}${describe ? `  ${describe(answer)}` : ''}`);

  return {
    part(title) {
      parts += 1;
      console.log(`\n${String(parts).padStart(2)}. ${title}`);
    },
    note: (line) => console.log(`    ${line}`),
    useKey: (given) => {
      key = given;
    },
    async call(id, call = {}) {
      const { status, answer } = await ask(id, call);
      print(id, call, status, answer);
      return answer;
    },
    async until(id, call, isThere) {
      for (let waited = 0; ; waited += POLL_MS) {
        const { status, answer } = await ask(id, call);
        if (isThere(answer)) {
          print(id, call, status, answer);
          return answer;
        }
        if (waited >= UNTIL_MS)
          throw new UnexpectedResponse(`${id} still answers ${JSON.stringify(answer.body)}`);
        await pause(POLL_MS);
      }
    },
    async sandbox(id, body) {
      const { status, answer } = await send(sandboxUrl, id, body ? { body } : {}, {});
      mustBe(`sandbox: ${id}`, status, undefined, answer);
      console.log(`    sandbox: ${id}  ${status}`);
      return answer;
    },
    async message(to, label) {
      const query = `/messages?to=${encodeURIComponent(to)}`;
      for (let waited = 0; waited < MESSAGE_MS; waited += POLL_MS) {
        const { answer } = await send(sandboxUrl, `GET ${query}`, {}, {});
        const found = answer.list('').find((message) => {
          const { id, text } = message as { id: unknown; text: string };
          return !read.has(id) && lineOf(text, label) !== undefined;
        }) as { id: unknown; channel: string; text: string } | undefined;
        if (found) {
          read.add(found.id);
          console.log(`    ${found.channel} to ${to}: ${label}: …`);
          return lineOf(found.text, label) ?? '';
        }
        await pause(POLL_MS);
      }
      throw new UnexpectedResponse(`No message with "${label}: …" came to ${to}`);
    },
  };
}

const lineOf = (text: string, label: string): string | undefined =>
  new RegExp(`^${label}: (.+)$`, 'm').exec(text)?.[1]?.trim();

async function send(
  base: string,
  id: string,
  { params = {}, query = {}, body }: Call,
  headers: Record<string, string>,
): Promise<{ status: number; answer: Answer }> {
  const [method = '', path = ''] = id.split(' ');
  const place = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  const url = new URL(`${base}${place}`);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const reply = await fetch(url, {
    method,
    headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
    ...(body ? { body: JSON.stringify(body) } : {}),
  }).catch(() => {
    throw new UnexpectedResponse(`Nothing answers at ${base}. Is the service running (npm start)?`);
  });
  const text = await reply.text();
  const json = reply.headers.get('content-type')?.includes('json') ?? false;
  return { status: reply.status, answer: answerOf(id, json ? JSON.parse(text) : text) };
}

function mustBe(id: string, status: number, wanted: number | undefined, { body }: Answer): void {
  const fine = wanted === undefined ? status >= 200 && status < 300 : status === wanted;
  if (fine) return;
  const expected = wanted ?? 'a success';
  throw new UnexpectedResponse(
    `${id} answered ${status}, not ${expected}: ${JSON.stringify(body)}`,
  );
}

function answerOf(id: string, body: unknown): Answer {
  const find = (path: string) =>
    path
      .split('.')
      .filter((name) => name !== '')
      .reduce<unknown>((at, name) => (at as Record<string, unknown> | null)?.[name], body);
  const must = <T>(path: string, fits: (found: unknown) => found is T): T => {
    const found = find(path);
    if (fits(found)) return found;
    throw new UnexpectedResponse(
      `${id}: "${path}" is ${JSON.stringify(found)} in ${JSON.stringify(body)}`,
    );
  };
  return {
    body,
    text: (path) => must(path, (found) => typeof found === 'string'),
    number: (path) => must(path, (found) => typeof found === 'number'),
    list: (path) => must(path, (found) => Array.isArray(found)),
  };
}

/** Ends the demo unless both are the same. */
export function mustEqual(what: string, found: unknown, wanted: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(wanted))
    throw new UnexpectedResponse(
      `${what} is ${JSON.stringify(found)}, expected was ${JSON.stringify(wanted)}`,
    );
}
