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
  /** Moves all that has committed until now; answers how many those were. */
  settle(): Promise<number>;
  close(): Promise<void>;
}

export interface OutboxRelayDeps {
  readonly db: Kysely<DB>;
  /** Not the pool, which may be what everybody waits for. */
  readonly presence: Pick<Liveness, 'query'>;
  readonly log: Logger;
}

const AT_ONCE = 1000;
/** Until the next look for what no commit of this process has told of. */
const POLL_MS = 250;
const AWAY_MS = 500;
/** While something else than the database is wrong. */
const FAILED_MS = 15;

/**
 * Gives what has happened its place in the log (see migration 0060). Every process does so for itself,
 * after its own commits and now and then, one at a time over all; so there is none that the others would
 * have to wait for, or replace. How long they wait for more is theirs together: who comes too early is told
 * when to come again.
 */
export function createOutboxRelay({ db, presence, log }: OutboxRelayDeps): OutboxRelay {
  const floor = createLowWaterMark(presence);
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let isStarted = false;
  let isAsked = false;
  let restUntil = 0;
  let forget: () => void = () => undefined;

  const poke = () => {
    isAsked = true;
    if (isStarted && running === undefined) plan(Math.max(0, restUntil - monotonicMs()));
  };

  /** Outside of the request that has told something: it must not be kept for it. */
  function plan(ms: number): void {
    clearTimeout(timer);
    timer = uncaused(() => setTimeout(begin, ms).unref());
  }

  function begin(): void {
    const isOwn = isAsked;
    isAsked = false;
    running = pass({ presence, log }, floor).then(({ isTaken, restMs, pauseMs }) => {
      running = undefined;
      isAsked ||= isOwn && isTaken;
      restUntil = monotonicMs() + restMs;
      if (isStarted) plan(isAsked ? restMs : pauseMs);
    });
  }

  return {
    start() {
      if (isStarted) return;
      isStarted = true;
      forget = onCommitted(db, poke);
      plan(0);
    },
    settle: () => moveAll(presence, floor),
    async close() {
      isStarted = false;
      forget();
      clearTimeout(timer);
      await running;
    },
  };
}

interface Passed {
  /** Another process is at it, or has only just been, and may not have seen what was told of here. */
  readonly isTaken: boolean;
  /** How long to wait before the next pass, where something has committed meanwhile, */
  readonly restMs: number;
  /** and where nothing has. */
  readonly pauseMs: number;
}

async function pass(
  { presence, log }: Pick<OutboxRelayDeps, 'presence' | 'log'>,
  floor: LowWaterMark,
): Promise<Passed> {
  try {
    const { moved, rest: restMs } = await moveInTurn(presence, floor);
    if (moved === null) return { isTaken: true, restMs, pauseMs: POLL_MS };
    await floor.passed({ any: moved > 0, isBehind: moved === AT_ONCE });
    // More comes where something was, maybe of who has no mover of its own and asks nobody.
    return { isTaken: false, restMs, pauseMs: moved > 0 ? restMs : POLL_MS };
  } catch (error) {
    if (!isDatabaseUnavailable(error))
      log.error({ err: error }, 'Events could not be moved to the log');
    return { isTaken: false, restMs: FAILED_MS, pauseMs: AWAY_MS };
  }
}

interface Moved {
  /** How many; null where another process is at it, or has only just been. */
  readonly moved: number | null;
}

async function moveInTurn(
  presence: OutboxRelayDeps['presence'],
  floor: LowWaterMark,
): Promise<Moved & { readonly rest: number }> {
  const [row] = await presence.query<Moved & { rest: number }>(
    'select moved, rest from events.move_in_turn($1, $2)',
    [floor.value, AT_ONCE],
  );
  if (!row) throw new Error('The outbox gives no answer');
  return row;
}

/** All there is, without waiting for more. */
async function moveAll(
  presence: OutboxRelayDeps['presence'],
  floor: LowWaterMark,
): Promise<number> {
  let total = 0;
  for (let moved: number | null = null; moved !== 0; total += moved ?? 0) {
    const [row] = await presence.query<Moved>('select moved from events.move($1, $2)', [
      ...[floor.value, AT_ONCE],
    ]);
    moved = row?.moved ?? null;
  }
  return total;
}
