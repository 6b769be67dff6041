import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import { type ChainAccess, receiptOf } from './client.ts';
import { ChainError } from './fault.ts';
import { type ChainTransaction, type Mined, recordMined } from './journal.ts';
import type { ChainLog, SenderSettings } from './settings.ts';

export interface Tracker {
  /** The row with what its receipt said. Rejects with `pending` when none came in time. */
  watch(row: ChainTransaction): Promise<ChainTransaction>;
  /** Somebody else looked: a new signature to wait for, or the end of the wait. */
  notice(row: ChainTransaction): void;
  stop(): void;
}

interface Waiting {
  row: ChainTransaction;
  readonly since: number;
  readonly promise: Promise<ChainTransaction>;
  readonly resolve: (row: ChainTransaction) => void;
  readonly reject: (error: ChainError) => void;
}

/** One loop per chain asks for all awaited receipts together, and rests when nothing is awaited. */
export function createTracker(context: {
  db: Db;
  chain: ChainAccess;
  log: ChainLog;
  settings: SenderSettings;
}): Tracker {
  const { db, chain, log, settings } = context;
  const waiting = new Map<number, Waiting>();
  let looping = false;
  let joined = false;
  const stopping = new AbortController();

  function watch(row: ChainTransaction): Promise<ChainTransaction> {
    if (row.status !== 'PENDING') return Promise.resolve(row);
    if (stopping.signal.aborted) return Promise.reject(stillPending(row));
    const known = waiting.get(row.transaction_id);
    if (known) return known.promise;
    const { promise, resolve, reject } = Promise.withResolvers<ChainTransaction>();
    // Whoever sent without waiting must not be ended by a rejection that nobody handles.
    promise.catch(() => undefined);
    const since = monotonicMs();
    waiting.set(row.transaction_id, { row, since, promise, resolve, reject });
    joined = true;
    if (!looping) void loop();
    return promise;
  }

  function notice(row: ChainTransaction): void {
    const entry = waiting.get(row.transaction_id);
    if (entry === undefined) return;
    entry.row = row;
    if (row.status === 'PENDING') return;
    waiting.delete(row.transaction_id);
    entry.resolve(row);
  }

  async function loop(): Promise<void> {
    looping = true;
    while (waiting.size > 0 && !stopping.signal.aborted) {
      joined = false;
      await round().catch((error: unknown) => {
        log.warn({ chain: chain.info.key, err: error }, 'Receipts could not be read');
      });
      giveUpOld();
      // A transaction sent meanwhile is probably mined already where blocks are made on demand.
      if (!joined && waiting.size > 0) await rest(settings.pollMs, stopping.signal);
    }
    looping = false;
  }

  async function round(): Promise<void> {
    const client = await chain.client();
    const found = await Promise.all(
      [...waiting.values()].map(async ({ row }): Promise<Mined | undefined> => {
        const receipt = await receiptOf(client, row.hash);
        return receipt && { transaction_id: row.transaction_id, receipt };
      }),
    );
    const mined = found.filter((entry) => entry !== undefined);
    if (mined.length > 0) for (const row of await recordMined(db, mined)) notice(row);
  }

  function giveUpOld(): void {
    for (const { row, since, reject } of [...waiting.values()]) {
      if (monotonicMs() - since < settings.waitMs) continue;
      waiting.delete(row.transaction_id);
      reject(stillPending(row));
    }
  }

  function stop(): void {
    stopping.abort();
    for (const { row, reject } of waiting.values()) reject(stillPending(row));
    waiting.clear();
  }

  return { watch, notice, stop };
}

const stillPending = (row: ChainTransaction): ChainError =>
  new ChainError('pending', `No receipt yet for ${row.hash}`);

/** Ends early when the tracker stops. */
const rest = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
