import { type Logger, destination as openDestination, pino, stdTimeFunctions, symbols } from 'pino';
import { atExit } from './at-exit.ts';
import { machineMs, printer } from './clock.ts';

export type { Logger };

/** Runs of digits that may be a card, and hex that may be a key, in any error text. */
const SECRET_LIKE = /\b\d(?:[ -]?\d){11,18}\b|\b(?:0x)?[0-9a-fA-F]{64}\b/g;

/** Error texts as they may be written down. */
export const scrub = (text: string): string => text.replace(SECRET_LIKE, '[redacted]');

/** JSON lines with request ids; credentials and bodies never get in. */
export function createLog(level: string, destination?: { write(line: string): void }): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: {
        paths: [
          'headers.authorization',
          'headers["x-api-key"]',
          '*.password',
          '*.token',
          '*.mnemonic',
          '*.private_key',
          '*.card_number',
          '*.cvv',
        ],
        censor: '[redacted]',
      },
      serializers: { err: describeError },
    },
    destination ?? buffered(openDestination({ sync: true })),
  );
}

const BUFFER_LENGTH = 16_384;
const BUFFER_MS = 100;

/**
 * Lines leave in batches, since a system call for each costs a request more than making the line. At
 * the latest after this long, and when the process ends; only a killed one loses the last of them.
 * The destination would gather them too, but it measures all it has gathered again with every line.
 */
function buffered(destination: ReturnType<typeof openDestination>) {
  let lines = '';
  const leave = () => {
    if (lines === '') return;
    destination.write(lines);
    lines = '';
  };
  const flushSync = () => {
    leave();
    destination.flushSync();
  };
  setInterval(leave, BUFFER_MS).unref();
  atExit(flushSync);
  return {
    write(line: string) {
      lines += line;
      if (lines.length >= BUFFER_LENGTH) leave();
    },
    flushSync,
  };
}

export interface AnsweredRequest {
  readonly reqId: string;
  /** As declared, never the address. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
}

/**
 * Writes the line of an answered request, the only one that every request pays for: made by hand, and
 * of few pieces, it costs a quarter. Nothing in it needs escaping, since ids are checked and routes
 * are ours.
 */
export function requestLines(log: Logger): (answered: AnsweredRequest) => void {
  const stream = (log as unknown as Record<symbol, { write(line: string): void }>)[
    symbols.streamSym
  ];
  const beginning = printer(
    (ms) => `{"level":"info","time":"${new Date(ms).toISOString()}","reqId":"`,
  );
  const middles = new Map<string, string[]>();
  // The level is set once, with the logger.
  if (!log.isLevelEnabled('info')) return () => undefined;
  return ({ reqId, route, status, ms }) => {
    const known = middles.get(route) ?? [];
    if (known.length === 0) middles.set(route, known);
    known[status] ??= `","route":"${route}","status":${status},"ms":`;
    stream?.write(`${beginning(machineMs())}${reqId}${known[status]}${ms},"msg":"request"}\n`);
  };
}

/** PostgreSQL's `detail` and `where` quote values, so only the error's own text and place are kept. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: scrub(String(error)) };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message: scrub(message),
    code: (error as { code?: unknown }).code,
    constraint: (error as { constraint?: unknown }).constraint,
    stack: scrub(stack ?? ''),
    ...(cause === undefined ? {} : { cause: describeError(cause) }),
  };
}
