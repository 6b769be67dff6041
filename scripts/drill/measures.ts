import type { Heard } from './clients.ts';

/** One failover from the clients' view, in milliseconds. */
export interface Failover {
  readonly node: string;
  /** From the last answer before to the first one after. */
  readonly silentMs: number;
  /** From the kill to the first answer to a request that was sent after it. */
  readonly backMs: number;
  /** From that first answer to the last `IDEMPOTENCY_IN_PROGRESS`; zero if none came later. */
  readonly inProgressMs: number;
  readonly unavailable: number;
  readonly inProgress: number;
  readonly limited: number;
  readonly lost: number;
  /** Until the killed node followed again. */
  readonly rejoinMs: number;
}

export interface Ear {
  hear(heard: Heard): void;
  successes(): number;
  /** The first success of a request sent after that moment; undefined until there is one. */
  firstSince(ms: number): Heard | undefined;
  all(): readonly Heard[];
}

export function createEar(): Ear {
  const all: Heard[] = [];
  let successes = 0;
  return {
    hear(heard) {
      all.push(heard);
      if (heard.status === 200) successes += 1;
    },
    successes: () => successes,
    firstSince: (ms) => all.find(({ status, sentMs }) => status === 200 && sentMs > ms),
    all: () => all,
  };
}

/** Between a kill and the next one. */
export function measure(
  all: readonly Heard[],
  { node, killedMs, untilMs, rejoinMs }: Window,
): Failover {
  const here = all.filter(({ atMs }) => atMs > killedMs && atMs <= untilMs);
  const good = all.filter(({ status, atMs }) => status === 200 && atMs <= untilMs);
  const first = good.find(({ sentMs }) => sentMs > killedMs);
  if (!first) throw new Error('Nothing succeeded after the failover');
  const before = good.filter(({ atMs }) => atMs < first.atMs).at(-1);
  const inProgress = here.filter(({ code }) => code === 'IDEMPOTENCY_IN_PROGRESS');
  const last = inProgress.at(-1)?.atMs ?? 0;
  return {
    node,
    silentMs: first.atMs - (before?.atMs ?? killedMs),
    backMs: first.atMs - killedMs,
    inProgressMs: Math.max(0, last - first.atMs),
    unavailable: here.filter(({ status }) => status === 503).length,
    inProgress: inProgress.length,
    limited: here.filter(({ status }) => status === 429).length,
    lost: here.filter(({ status }) => status === 0).length,
    rejoinMs,
  };
}

export interface Window {
  readonly node: string;
  /** The moment at which no process of the old leader was left. */
  readonly killedMs: number;
  readonly untilMs: number;
  readonly rejoinMs: number;
}
