import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The time of observation before it counts as idle. */
const LOOK_MS = 5000;
/** The share of work in that time: polls of the queue, log lines. */
const BUSY_MAX = 0.2;

interface Watch {
  after(ms: number, act: () => void): void;
  /** Begins the observation; the answered function returns the share of work since then. */
  watch(): () => number;
  collect(): void;
}

/**
 * Returns the memory of loading to the machine, once: V8 keeps empty pages for later use, which is little after a start.
 * It takes some tenths of a second in which no request is answered, so it waits until the process is idle.
 */
export function giveBackAtRest(watch: Watch = ofThisProcess): void {
  const shareOfWork = watch.watch();
  watch.after(LOOK_MS, () => (shareOfWork() > BUSY_MAX ? giveBackAtRest(watch) : watch.collect()));
}

/** V8's own collector, which it exposes by a flag. */
type Collect = (how: { type: 'major'; execution: 'sync'; flavor: 'last-resort' }) => void;

const ofThisProcess: Watch = {
  // It keeps no process from its end.
  after: (ms, act) => void setTimeout(act, ms).unref(),
  watch() {
    const before = performance.eventLoopUtilization();
    return () => performance.eventLoopUtilization(before).utilization;
  },
  collect() {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as Collect;
    setFlagsFromString('--no-expose-gc');
    collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  },
};
