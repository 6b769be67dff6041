import type { Timers } from '#kernel/timers.ts';

interface Waiting {
  readonly act: () => void;
  readonly everyMs: number | undefined;
  at: number;
}

/** Timers whose time passes when the test says so, in order and to the millisecond. */
export function heldTimers(): Timers & { pass(ms: number): void; readonly open: number } {
  let now = 0;
  const waiting = new Set<Waiting>();
  const add = (one: Waiting) => {
    waiting.add(one);
    return () => void waiting.delete(one);
  };
  return {
    after: (ms, act) => add({ act, everyMs: undefined, at: now + ms }),
    every: (ms, act) => add({ act, everyMs: ms, at: now + ms }),
    get open() {
      return waiting.size;
    },
    pass(ms) {
      const until = now + ms;
      for (;;) {
        const [next] = [...waiting].sort((a, b) => a.at - b.at);
        if (next === undefined || next.at > until) break;
        now = next.at;
        if (next.everyMs === undefined) waiting.delete(next);
        else next.at += next.everyMs;
        next.act();
      }
      now = until;
    },
  };
}
