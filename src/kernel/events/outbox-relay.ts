import type { Kysely } from 'kysely';
import { uncaused } from '#kernel/cause.ts';
import { monotonicMs } from '../clock.ts';
import type { Liveness } from '../db/liveness.ts';
import type { DB } from '../db/schema.generated.ts';
import { isDatabaseUnavailable } from '../db/sql-errors.ts';
import type { Logger } from '../log.ts';
import { onCommitted } from './emit.ts';
import { createLowWaterMark, type LowWaterMark } from './low-water-mark.ts';

export interface OutboxRelay {
  start(): void;
  /** Moves all events that have committed so far; answers how many. */
  settle(): Promise<number>;
  close(): Promise<void>;
}

export interface OutboxRelayDeps {
  readonly db: Kysely<DB>;
  /** Not the pool, which may be exhausted. */
  readonly presence: Pick<Liveness, 'query'>;
  readonly log: Logger;
}

const AT_ONCE = 1000;
/** Until the next poll for events that no commit of this process has announced. */
const POLL_MS = 250;
const AWAY_MS = 500;
/** After a failure that is not the database's. */
const FAILED_MS = 15;

/**
 * Moves events from the outbox to their positions in the log (see migration 0060). Every process relays, after
 * its own commits and by a poll, one process at a time; so no process is one that the others would
 * have to wait for, or replace. The pause between two passes is common to all: a process that comes too early
 * learns when to come again.
 */
export function createOutboxRelay({ db, presence, log }: OutboxRelayDeps): OutboxRelay {
  const lowWaterMark = createLowWaterMark(presence);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStarted = false;
  let isWanted = false;
  let restUntil = 0;
  let forget: () => void = () => undefined;

  const relaySoon = () => {
    isWanted = true;
    if (isStarted && running === undefined) plan(Math.max(0, restUntil - monotonicMs()));
  };

  /** Outside of the request that emitted events, which the timer must not keep in memory. */
  function plan(ms: number): void {
    clearTimeout(timer);
    timer = uncaused(() => setTimeout(begin, ms).unref());
  }

  function begin(): void {
    const isOwn = isWanted;
    isWanted = false;
    running = pass({ presence, log }, lowWaterMark).then(({ isTaken, restMs, pauseMs }) => {
      running = undefined;
      isWanted ||= isOwn && isTaken;
      restUntil = monotonicMs() + restMs;
      if (isStarted) plan(isWanted ? restMs : pauseMs);
    });
  }

  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      forget = onCommitted(db, relaySoon);
      plan(0);
    },
    settle: () => moveAll(presence, lowWaterMark),
    async close() {
      isStarted = false;
      forget();
      clearTimeout(timer);
      await running;
    },
  };
}

interface Passed {
  /** Another process relays, or has just done so, and may not have seen this process' events. */
  readonly isTaken: boolean;
  /** How long to wait before the next pass where events have committed meanwhile, */
  readonly restMs: number;
  /** and where nothing has. */
  readonly pauseMs: number;
}

async function pass(
  { presence, log }: Pick<OutboxRelayDeps, 'presence' | 'log'>,
  lowWaterMark: LowWaterMark,
): Promise<Passed> {
  try {
    const { moved, rest: restMs } = await moveInTurn(presence, lowWaterMark);
    if (moved === null) return { isTaken: true, restMs, pauseMs: POLL_MS };
    await lowWaterMark.passed({ any: moved > 0, isBehind: moved === AT_ONCE });
    // More events follow where some were, maybe of a process without a relay.
    return { isTaken: false, restMs, pauseMs: moved > 0 ? restMs : POLL_MS };
  } catch (error) {
    if (!isDatabaseUnavailable(error))
      log.error({ err: error }, 'Events could not be moved to the log');
    return { isTaken: false, restMs: FAILED_MS, pauseMs: AWAY_MS };
  }
}

interface Moved {
  /** How many; null where another process relays, or has just done so. */
  readonly moved: number | null;
}

async function moveInTurn(
  presence: OutboxRelayDeps['presence'],
  lowWaterMark: LowWaterMark,
): Promise<Moved & { readonly rest: number }> {
  const [row] = await presence.query<Moved & { rest: number }>(
    'select moved, rest from events.move_in_turn($1, $2)',
    [lowWaterMark.value, AT_ONCE],
  );
  if (!row) throw new Error('The outbox gives no answer');
  return row;
}

/** Moves all there is, without waiting for more. */
async function moveAll(
  presence: OutboxRelayDeps['presence'],
  lowWaterMark: LowWaterMark,
): Promise<number> {
  let total = 0;
  for (let moved: number | null = null; moved !== 0; total += moved ?? 0) {
    const [row] = await presence.query<Moved>('select moved from events.move($1, $2)', [
      lowWaterMark.value,
      AT_ONCE,
    ]);
    moved = row?.moved ?? null;
  }
  return total;
}
