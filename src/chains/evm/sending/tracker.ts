import { monotonicMs } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { type ChainAccess, receiptOf } from '../client.ts';
import { ChainError, chainFault } from '../fault.ts';
import type { ChainLog, SenderSettings } from '../settings.ts';
import { type ChainTransaction, findById, type Mined, recordMined } from './journal.ts';

export interface Tracker {
  /** The row with what its receipt said. Rejects with `pending` when none came in time. */
  awaitReceipt(row: ChainTransaction): Promise<ChainTransaction>;
  /** What the monitor found: a new signature to wait for, or the end of the wait. */
  notice(row: ChainTransaction): void;
  stop(): void;
}

interface Waiting {
  row: ChainTransaction;
  /** When to ask next, and how much later the time after that. */
  askAt: number;
  pauseMs: number;
  readonly since: number;
  readonly promise: Promise<ChainTransaction>;
  readonly resolve: (row: ChainTransaction) => void;
  readonly reject: (error: ChainError) => void;
}

/** Where blocks are made on demand a receipt is there after a few milliseconds. */
const FIRST_PAUSE_MS = 4;
const AFTER_FAILURE_MS = 1_000;

interface TrackerContext {
  readonly db: Db;
  readonly chain: ChainAccess;
  readonly log: ChainLog;
  readonly settings: SenderSettings;
}

interface Tracking extends TrackerContext {
  /** By transaction. */
  readonly waiting: Map<number, Waiting>;
  readonly alarm: Alarm;
  isLooping: boolean;
  isStopped: boolean;
}

/** One loop per chain asks for all awaited receipts together, and rests when nothing is awaited. */
export function createTracker(context: TrackerContext): Tracker {
  const tracking: Tracking = {
    ...context,
    waiting: new Map(),
    alarm: createAlarm(),
    isLooping: false,
    isStopped: false,
  };
  return {
    awaitReceipt: (row) => awaitReceipt(tracking, row),
    notice: (row) => notice(tracking, row),
    stop() {
      tracking.isStopped = true;
      tracking.alarm.wake();
      giveUp(tracking, [...tracking.waiting.values()]);
    },
  };
}

function awaitReceipt(tracking: Tracking, row: ChainTransaction): Promise<ChainTransaction> {
  const { waiting, alarm, isLooping, isStopped } = tracking;
  if (row.status !== 'PENDING') return Promise.resolve(row);
  if (isStopped) return Promise.reject(stillPending(row));
  const known = waiting.get(row.transaction_id);
  if (known) return known.promise;
  const result = Promise.withResolvers<ChainTransaction>();
  // A caller that does not wait must not end the process by an unhandled rejection.
  result.promise.catch(() => undefined);
  const since = monotonicMs();
  const entry = { row, askAt: since, pauseMs: FIRST_PAUSE_MS, since, ...result };
  waiting.set(row.transaction_id, entry);
  if (isLooping) alarm.wake();
  else void loop(tracking);
  return result.promise;
}

function notice({ waiting }: Tracking, row: ChainTransaction): void {
  const entry = waiting.get(row.transaction_id);
  if (entry === undefined) return;
  entry.row = row;
  if (row.status === 'PENDING') return;
  waiting.delete(row.transaction_id);
  entry.resolve(row);
}

async function loop(tracking: Tracking): Promise<void> {
  const { chain, log, settings, waiting, alarm } = tracking;
  tracking.isLooping = true;
  while (waiting.size > 0 && !tracking.isStopped) {
    const due = [...waiting.values()].filter(({ askAt }) => askAt <= monotonicMs());
    await ask(tracking, due).catch((error: unknown) => {
      log.warn({ chain: chain.info.key, err: chainFault(error) }, 'Could not read receipts');
      for (const entry of due) entry.askAt = monotonicMs() + AFTER_FAILURE_MS;
    });
    const isOld = ({ since }: Waiting) => monotonicMs() - since >= settings.waitMs;
    giveUp(tracking, [...waiting.values()].filter(isOld));
    const next = Math.min(...[...waiting.values()].map(({ askAt }) => askAt));
    if (waiting.size > 0) await alarm.rest(next - monotonicMs());
  }
  tracking.isLooping = false;
}

async function ask(tracking: Tracking, due: readonly Waiting[]): Promise<void> {
  const { db, chain, settings, waiting } = tracking;
  await hearOfLate(tracking, due);
  const client = await chain.client();
  const open = due.filter(({ row }) => waiting.has(row.transaction_id));
  const found = await Promise.all(
    open.map(async (entry): Promise<Mined | undefined> => {
      const receipt = await receiptOf(client, entry.row.hash);
      entry.askAt = monotonicMs() + entry.pauseMs;
      entry.pauseMs = Math.min(entry.pauseMs * 2, settings.pollMs);
      return receipt && { transaction_id: entry.row.transaction_id, receipt };
    }),
  );
  const mined = found.filter((entry) => entry !== undefined);
  if (mined.length === 0) return;
  for (const row of await recordMined(db, mined, settings.finalDepth === 0)) notice(tracking, row);
}

/**
 * From when on the monitors may replace it: that of another process tells us nothing, and ours passes over what is
 * final already.
 */
async function hearOfLate(tracking: Tracking, due: readonly Waiting[]): Promise<void> {
  const { db, settings } = tracking;
  const isLate = ({ since }: Waiting) => monotonicMs() - since >= settings.stuckAfterMs;
  const late = due.filter(isLate).map(({ row }) => row.transaction_id);
  if (late.length === 0) return;
  for (const row of await findById(db, late)) notice(tracking, row);
}

function giveUp({ waiting }: Tracking, some: readonly Waiting[]): void {
  for (const { row, reject } of some) {
    waiting.delete(row.transaction_id);
    reject(stillPending(row));
  }
}

const stillPending = (row: ChainTransaction): ChainError =>
  new ChainError('pending', `No receipt yet for ${row.hash}`);

/** A sleep that can be ended early. */
interface Alarm {
  rest(ms: number): Promise<void>;
  wake(): void;
}

function createAlarm(): Alarm {
  let wake = () => {};
  return {
    wake: () => wake(),
    rest: (ms) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, Math.max(ms, 0)).unref();
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
