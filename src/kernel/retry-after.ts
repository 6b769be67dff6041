import { AsyncLocalStorage } from 'node:async_hooks';

/** How long providers want to be left alone, as heard in the course of one run. */
interface Heard {
  waitMs: number;
}

const store = new AsyncLocalStorage<Heard>();

const DAY_MS = 86_400_000;

/** Does work, and says afterwards how long the providers that it called want to be left alone. */
export function hearingWaits<T>(work: () => Promise<T>): {
  readonly ended: Promise<T>;
  waitMs(): number;
} {
  const heard: Heard = { waitMs: 0 };
  return { ended: store.run(heard, async () => work()), waitMs: () => heard.waitMs };
}

/** Notes the wait that an answer asks for; the retry logic reads it. */
export function noteWait(headers: object, now: number): void {
  const heard = store.getStore();
  if (heard) heard.waitMs = Math.max(heard.waitMs, retryAfterOf(headers, now) ?? 0);
}

/** Milliseconds of `Retry-After`, in seconds or as a date (RFC 9110), or of OpenAI's `retry-after-ms`; a day at most. */
export function retryAfterOf(answered: object, now: number): number | undefined {
  const headers = answered as Readonly<Record<string, unknown>>;
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  // Some libraries spell the names of headers their own way.
  const text = String(headers['retry-after'] ?? headers['Retry-After'] ?? '').trim();
  const ms = Number.isFinite(exact) ? exact : read(text, now);
  return ms === undefined || Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), DAY_MS);
}

function read(text: string, now: number): number | undefined {
  if (text === '') return undefined;
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
}
