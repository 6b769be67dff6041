import type { Db } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';
import { emitCrossing } from './events.ts';
import { crossingsIn } from './rule.ts';
import {
  lockMonitors,
  type MonitorStep,
  monitorsWithNews,
  moveMonitors,
  noteProgress,
  unseenReadings,
} from './store.ts';

/** Events of a read, monitors of a transaction, and entries that a transaction reads for each of these. */
export const WATCH_LIMITS = { events: 5000, atOnce: 50, entries: 200 };

/**
 * Looks at what was posted to wallets that have monitors, and emits their crossings. The log of events says which wallets
 * have moved; the entries of an account have numbers without gaps, in the order in which they commit: a monitor that
 * knows the last one it has seen misses none. The place in the log is noted after all monitors are that far.
 */
export async function watchBalances(
  db: Db,
  { signal, limits = WATCH_LIMITS }: { signal: AbortSignal; limits?: typeof WATCH_LIMITS },
): Promise<void> {
  for (let isMore = true; isMore; ) {
    const { upto, looked, serials } = await monitorsWithNews(db, limits.events);
    for (let n = 0; n < serials.length; n += limits.atOnce) {
      let behind: readonly number[] = serials.slice(n, n + limits.atOnce);
      while (behind.length > 0 && !signal.aborted)
        behind = await transact(db, (tx) => lookOn(tx, behind, limits.entries));
    }
    if (signal.aborted) return;
    if (upto !== null) await noteProgress(db, upto);
    isMore = looked === limits.events;
  }
}

/** Reads on for these; answers those that have more to read. */
async function lookOn(tx: Db, serials: readonly number[], entries: number): Promise<number[]> {
  const monitors = await lockMonitors(tx, serials);
  if (monitors.length === 0) return [];
  const readings = Map.groupBy(await unseenReadings(tx, monitors, entries), ({ serial }) => serial);
  const steps = monitors.flatMap((monitor): MonitorStep[] => {
    const unseen = readings.get(monitor.serial)?.sort((a, b) => a.seq - b.seq) ?? [];
    const last = unseen.at(-1);
    if (last === undefined) return [];
    const whole = unseen.filter(({ is_last }) => is_last);
    return [{ monitor, seen: last.seq, ...crossingsIn(monitor, whole) }];
  });
  if (steps.length === 0) return [];
  const moved = await moveMonitors(tx, steps);
  for (const { monitor, crossings } of steps)
    if (moved.has(monitor.serial))
      for (const reading of crossings) emitCrossing(tx, monitor, reading);
  return serials.filter((serial) => readings.get(serial)?.length === entries);
}
