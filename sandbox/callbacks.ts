import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { callHttp } from '#kernel/provider-call.ts';
import type { Faults, SandboxFault } from './faults.ts';

export interface Callback {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as it is when text, as JSON otherwise. */
  readonly body: string | object;
  /** Some providers call once and never again, whatever the answer. */
  readonly once?: boolean;
  /** What the service has answered, where a provider acts on that. */
  answered?(body: unknown): Promise<void>;
  /** The headers as they would be under another secret, for the `bad-signature` fault. */
  resign?(secret: string): Readonly<Record<string, string>>;
}

/** One that is still to be made, from records or with a key that has to be looked up. */
type Unmade = () => Promise<Callback>;

/** Delivers providers' call-backs to the service as providers do: again until it takes them. */
export interface Callbacks {
  /**
   * Answers whether the service took it; false at once when a fault keeps it back, and when it could not be
   * made. Never rejects, so a wire endpoint need not (and must not, while the service waits for it) await this.
   */
  deliver(provider: string, callback: Callback | Unmade): Promise<boolean>;
  /** When nothing is on its way any more. What `reorder` holds back does not count. */
  idle(): Promise<void>;
  /** Gives up what is on its way. */
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
/** Pauses before each further try; a provider gives up some time, too. */
const RETRY_MS = [100, 300, 900, 2700];
/** What `reorder` keeps back goes out after this, or later as it says, if nothing overtakes it. */
const HOLD_MS = 10_000;
const FOREIGN_SECRET = 'not-the-secret-of-this-provider';
const SIGNATURE_HEADER = /sign|digest|hmac|token|verif/i;

export function createCallbacks({ faults, log }: { faults: Faults; log: Logger }): Callbacks {
  const sender = createSender(log);
  const { send } = sender;
  /** Per provider, how to let go of what `reorder` keeps back. */
  const held = new Map<string, () => void>();

  function hold(provider: string, callback: Callback, { ms }: SandboxFault): void {
    const release = () => {
      clearTimeout(timer);
      if (held.get(provider) === release) held.delete(provider);
      if (!sender.closed()) void send(provider, callback);
    };
    const timer = setTimeout(release, Math.max(ms, HOLD_MS));
    timer.unref();
    held.set(provider, release);
  }

  async function pass(provider: string, callback: Callback): Promise<boolean> {
    const overtaken = held.get(provider);
    if (overtaken) {
      const taken = await send(provider, callback);
      overtaken();
      return taken;
    }
    const fault = faults.take(provider, ...CALLBACK_FAULTS);
    if (fault === undefined) return send(provider, callback);
    if (fault.kind !== 'reorder') return spoil(sender, fault, callback);
    hold(provider, callback, fault);
    return false;
  }

  return {
    deliver: (provider, callback) =>
      typeof callback === 'function'
        ? makeFirst({ sender, log }, provider, callback, pass)
        : pass(provider, callback),
    idle: sender.idle,
    async close() {
      const ended = sender.close();
      for (const release of held.values()) release();
      await ended;
    },
  };
}

type Sender = ReturnType<typeof createSender>;

/** What is being made has its source still open: it is not closed. */
async function makeFirst(
  { sender, log }: { readonly sender: Sender; readonly log: Logger },
  provider: string,
  make: Unmade,
  pass: (provider: string, callback: Callback) => Promise<boolean>,
): Promise<boolean> {
  if (sender.closed()) return false;
  const made = make().catch((error: unknown) => {
    log.warn({ err: error, provider }, 'Call-back could not be made');
    return undefined;
  });
  return sender.track(made.then((callback) => callback !== undefined && pass(provider, callback)));
}

/** Sends until it is taken or there were tries enough, and knows what is under way. */
function createSender(log: Logger) {
  const closing = new AbortController();
  const underway = new Set<Promise<unknown>>();
  const track = <T>(work: Promise<T>): Promise<T> => {
    underway.add(work);
    void work.finally(() => underway.delete(work));
    return work;
  };
  const pause = (ms: number) => wait(ms, undefined, { signal: closing.signal });

  async function attempt(provider: string, callback: Callback, tries: number): Promise<boolean> {
    for (let n = 1; !closing.signal.aborted; n += 1) {
      const { status, json } = await post(provider, callback);
      if (status >= 200 && status < 300) {
        await callback.answered?.(json);
        return true;
      }
      if (n >= tries) {
        log.warn({ provider, status, tries: n }, 'Call-back was not taken');
        return false;
      }
      await pause(RETRY_MS[n - 1] ?? 0).catch(() => {});
    }
    return false;
  }
  const triesOf = ({ once }: Callback) => (once ? 1 : RETRY_MS.length + 1);
  const send = (provider: string, callback: Callback, tries = triesOf(callback)) =>
    track(attempt(provider, callback, tries));

  return {
    send,
    track,
    sendAfter(ms: number, provider: string, callback: Callback): void {
      const late = pause(ms).then(
        () => send(provider, callback),
        () => false,
      );
      void track(late);
    },
    closed: () => closing.signal.aborted,
    async idle() {
      while (underway.size > 0) await Promise.allSettled(underway);
    },
    async close() {
      closing.abort();
      await Promise.allSettled(underway);
    },
  };
}

async function spoil(sender: Sender, fault: SandboxFault, callback: Callback): Promise<boolean> {
  const { provider, kind, ms } = fault;
  const { send } = sender;
  if (kind === 'bad-signature') return send(provider, forged(callback), 1);
  if (kind === 'late-callback') {
    sender.sendAfter(ms, provider, callback);
    return false;
  }
  const [first, second] = await Promise.all([send(provider, callback), send(provider, callback)]);
  return first && second;
}

const CALLBACK_FAULTS = [
  'duplicate-callback',
  'late-callback',
  'bad-signature',
  'reorder',
] as const;

/** The status and what came with it; 0 when there was no answer. */
async function post(provider: string, { url, headers = {}, body }: Callback) {
  const reply = await callHttp({
    name: `${provider} call-back`,
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body,
    timeoutMs: TIMEOUT_MS,
  });
  return 'lost' in reply ? { status: 0, json: undefined } : reply;
}

function forged(callback: Callback): Callback {
  const headers = callback.headers ?? {};
  if (callback.resign)
    return { ...callback, headers: { ...headers, ...callback.resign(FOREIGN_SECRET) } };
  const spoiled = Object.entries(headers).map(([name, value]) =>
    SIGNATURE_HEADER.test(name) ? [name, [...value].reverse().join('')] : [name, value],
  );
  return { ...callback, headers: Object.fromEntries(spoiled) };
}
