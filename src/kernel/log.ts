import { type Logger, destination as openDestination, pino, stdTimeFunctions, symbols } from 'pino';
import { isoPrinter, machineMs, printer } from './clock.ts';
import { currentLogFacts } from './log-context.ts';
import { onProcessExit } from './process-exit.ts';

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
      mixin: currentLogFacts,
    },
    destination ?? buffered(openDestination({ sync: true, contentMode: 'buffer' })),
  );
}

const BATCH_BYTES = 65_536;
const BATCH_MS = 100;
/** A character of a string is at most so many bytes. */
const WIDEST = 3;

/**
 * Lines leave in batches, since a system call for each costs a request more than making the line. At
 * the latest after this long, and when the process ends; only a killed one loses the last of them.
 * They are gathered as bytes: a line is made of many small strings, which are put together while the
 * processor still has them at hand, and the destination measures strings that it is given once more.
 */
function buffered(destination: ReturnType<typeof openDestination>) {
  const bytes = Buffer.allocUnsafeSlow(BATCH_BYTES);
  let used = 0;
  let leaving: NodeJS.Timeout | undefined;
  const leave = () => {
    clearTimeout(leaving);
    leaving = undefined;
    if (used === 0) return;
    // A copy, since the destination keeps what it cannot write yet.
    const batch = Buffer.from(bytes.subarray(0, used));
    used = 0;
    hand(destination, batch);
  };
  const flushSync = () => {
    leave();
    destination.flushSync();
  };
  onProcessExit(flushSync);
  return {
    write(line: string) {
      if (used + line.length * WIDEST > BATCH_BYTES) leave();
      if (line.length * WIDEST > BATCH_BYTES) return hand(destination, Buffer.from(line));
      used += bytes.write(line, used);
      // Not by an interval: a process at rest has nothing to wake up for.
      leaving ??= setTimeout(leave, BATCH_MS).unref();
    },
    flushSync,
  };
}

/** Its type knows strings alone. */
const hand = (destination: ReturnType<typeof openDestination>, bytes: Buffer): void =>
  void destination.write(bytes as unknown as string);

/** Whose key or log-in it was. */
export interface LogRequester {
  readonly client_id?: number | null | undefined;
  readonly user_id?: number | null | undefined;
  /** A member of the rewards app. */
  readonly userx_id?: number | undefined;
  /** The first characters of the key. */
  readonly key?: string | undefined;
}

export interface AnsweredRequest {
  readonly reqId: string;
  /** As declared, never the address. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** Of an error. */
  readonly code?: string | undefined;
  readonly who?: LogRequester | undefined;
  readonly ip?: string | undefined;
  /** By which its transfers, effects and events are found. */
  readonly operation?: string | undefined;
  /** Whether an earlier answer was sent again. */
  readonly replayed?: true | undefined;
  readonly trace_id?: string | undefined;
}

/** What all lines of a route have in common. */
interface RouteLines {
  readonly isProbe: boolean;
  /** By status. */
  readonly middles: string[];
}

/** Asked for every few seconds by machines. */
const PROBES = /^\/(?:health\/|metrics$|version$)/;

/**
 * Writes the line of an answered request, the only one that every request pays for: made by hand, and
 * of few pieces, it costs a quarter. Nothing in it needs escaping, since ids are checked and codes,
 * routes and the beginnings of keys are ours.
 */
export function requestLines(log: Logger): (answered: AnsweredRequest) => void {
  const stream = (log as unknown as Record<symbol, { write(line: string): void }>)[
    symbols.streamSym
  ];
  const iso = isoPrinter();
  const beginningOf = (level: string) =>
    printer((ms) => `{"level":"${level}","time":"${iso(ms)}","reqId":"`);
  const [beginning, ofProbe] = [beginningOf('info'), beginningOf('debug')];
  const routes = new Map<string, RouteLines>();
  // The level is set once, with the logger.
  if (!log.isLevelEnabled('info')) return () => undefined;
  const tellsProbes = log.isLevelEnabled('debug');
  return (answered) => {
    const { reqId, route, status, ms } = answered;
    let lines = routes.get(route);
    if (lines === undefined) {
      lines = { isProbe: PROBES.test(route), middles: [] };
      routes.set(route, lines);
    }
    const { isProbe, middles } = lines;
    if (isProbe && !tellsProbes) return;
    middles[status] ??= `","route":"${route}","status":${status},"ms":`;
    const begun = (isProbe ? ofProbe : beginning)(machineMs());
    stream?.write(`${begun}${reqId}${middles[status]}${ms}${moreOf(answered)},"msg":"request"}\n`);
  };
}

/** What not every line has, in the order in which it is read. */
const moreOf = ({ code, who, ip, operation, replayed, trace_id }: AnsweredRequest): string =>
  field('code', code) +
  (who === undefined ? '' : whoOf(who)) +
  field('ip', ip) +
  field('operation', operation) +
  (replayed === undefined ? '' : ',"replayed":true') +
  field('trace_id', trace_id);

const whoOf = ({ client_id, user_id, userx_id, key }: LogRequester): string =>
  field('client_id', client_id) +
  field('user_id', user_id) +
  field('userx_id', userx_id) +
  field('key', key);

function field(name: string, value: string | number | null | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'number' ? `,"${name}":${value}` : `,"${name}":"${value}"`;
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
