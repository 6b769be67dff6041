/** What takes its time from them can be shown what a quarter of an hour does, without waiting for it. */
export interface Timers {
  /** Both answer how to call it off. */
  after(ms: number, act: () => void): () => void;
  every(ms: number, act: () => void): () => void;
}

export const realTimers: Timers = {
  after(ms, act) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  every(ms, act) {
    const timer = setInterval(act, ms);
    return () => clearInterval(timer);
  },
};
