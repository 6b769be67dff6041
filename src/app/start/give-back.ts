import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How long it looks on before it says that nothing is being done. */
const LOOK_MS = 5000;
/** Of that time so much may be work: the queue is looked at, a log line is written. */
const BUSY_MAX = 0.2;

interface Watch {
  after(ms: number, act: () => void): void;
  /** Begins to look on; what it answers tells which share of the time since then was work. */
  watch(): () => number;
  collect(): void;
}

/**
 * Gives back to the machine, once, what loading has taken: V8 keeps the pages that it has emptied for what comes
 * next, which after a start is not much. It takes some tenths of a second in which nobody is answered, so it waits
 * until nothing is being done.
 */
export function giveBackAtRest(watch: Watch = ofThisProcess): void {
  const shareOfWork = watch.watch();
  watch.after(LOOK_MS, () => (shareOfWork() > BUSY_MAX ? giveBackAtRest(watch) : watch.collect()));
}

/** V8's own collector, which it hands out when it is told to. */
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
