import { type IncomingMessage, ServerResponse } from 'node:http';
import { repliedLines } from '../declare/retrying.ts';
import { isChanging } from './handler-call.ts';

type Headers = Readonly<Record<string, string | number>>;
type Part = 'guard' | 'id' | 'budget' | 'failure';

/** The handler of the request. */
export interface ReadyReply {
  readonly raw?: unknown;
  header(name: string, value: string | number): unknown;
}

type StoreHeader = (this: ServerResponse, firstLine: string, headers: unknown) => void;
const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as {
  _storeHeader: StoreHeader;
};
if (typeof storeHeader !== 'function') throw new Error('Node writes heads of answers another way');

/**
 * Node's answer, with headers that are ready to leave. Every answer of the API carries eight of ours;
 * Fastify would gather them, and Node take each to pieces again to see whether it may be sent, which
 * costs a request a tenth of all that it costs. Names and values here are ours, or have been looked
 * at: none of them can end a line.
 */
export class ReadyAnswer<
  Request extends IncomingMessage = IncomingMessage,
> extends ServerResponse<Request> {
  guard = '';
  id = '';
  budget = '';
  failure = '';

  /** Node's own name for where the head is put together, after the line with the status. */
  _storeHeader(firstLine: string, headers: unknown): void {
    const { guard, id, budget, failure, statusCode } = this;
    const failed =
      statusCode < 400 ? '' : failure || repliedLines(statusCode, isChanging(this.req.method));
    storeHeader.call(this, firstLine + guard + id + budget + failed, headers);
  }
}

/**
 * Has the answer carry these headers, instead of earlier ones of that part: `name: value`, each ended as
 * on the wire. They must not be set in any other way as well. An answer that is not ours takes them like
 * any others.
 */
export function carry(reply: ReadyReply, part: Part, lines: string): void {
  const { raw } = reply;
  if (raw instanceof ReadyAnswer) {
    raw[part] = lines;
    return;
  }
  for (const line of lines.split('\r\n')) {
    const [name = '', value] = line.split(': ', 2);
    if (value !== undefined) reply.header(name, value);
  }
}

/** The same with headers that never change, whose lines are made once. */
export function carryAlways(reply: ReadyReply, part: Part, headers: Headers): void {
  const { raw } = reply;
  if (!(raw instanceof ReadyAnswer)) {
    for (const name in headers) reply.header(name, headers[name] ?? '');
    return;
  }
  let lines = made.get(headers);
  if (lines === undefined) {
    lines = headerLines(headers);
    made.set(headers, lines);
  }
  raw[part] = lines;
}
const made = new Map<Headers, string>();

/** As on the wire. */
export function headerLines(headers: Headers): string {
  let lines = '';
  for (const name in headers) lines += `${name}: ${headers[name]}\r\n`;
  return lines;
}
