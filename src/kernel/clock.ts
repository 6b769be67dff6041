/** The service's time: the machine's, plus what the sandbox has moved it forward. */
export interface Clock {
  now(): Date;
  /** The same in milliseconds since 1970. */
  ms(): number;
  /** Whole seconds since 1970, as tokens and one-time codes count. */
  seconds(): number;
  /** How far the service is ahead of the machine, in milliseconds. */
  readonly offsetMs: number;
  /** Only the sandbox and tests move it, and only forward. */
  advance(ms: number): void;
}

export function createClock(offsetMs = 0): Clock {
  let ahead = offsetMs;
  return {
    now: () => new Date(Date.now() + ahead),
    ms: () => Date.now() + ahead,
    seconds: () => Math.floor((Date.now() + ahead) / 1000),
    get offsetMs() {
      return ahead;
    },
    advance(ms) {
      if (!Number.isSafeInteger(ms) || ms < 0) throw new Error('The clock only moves forward');
      ahead += ms;
    },
  };
}

/** Steady milliseconds for measuring durations; unrelated to the time of day. */
export const monotonicMs = (): number => performance.now();

/** The machine's own time in milliseconds, for file names and caches that no test moves. */
export const machineMs = (): number => Date.now();

/** Prints a moment and remembers the last: under load most milliseconds come again. */
export function printer(print: (ms: number) => string): (ms: number) => string {
  let lastMs = Number.NaN;
  let last = '';
  return (ms) => {
    if (ms !== lastMs) {
      last = print(ms);
      lastMs = ms;
    }
    return last;
  };
}

/** Prints milliseconds as ISO 8601. The second is made once: where one asks at a time, each asks in another millisecond. */
export function isoPrinter(): (ms: number) => string {
  const second = printer((s) => new Date(s * 1000).toISOString().slice(0, -4));
  return printer((ms) => {
    const s = Math.floor(ms / 1000);
    return `${second(s)}${String(ms - s * 1000).padStart(3, '0')}Z`;
  });
}
