import type { Kysely } from 'kysely';
import { monotonicMs } from '../clock.ts';
import type { Liveness } from '../db/liveness.ts';
import type { DB } from '../db/schema.generated.ts';
import { isDatabaseUnavailable } from '../db/transact.ts';
import type { Logger } from '../log.ts';
import { uncaused } from './cause.ts';
import { onCommitted } from './emit.ts';
import { createFloor, type Floor } from './floor.ts';

export interface Mover {
  start(): void;
  /** Moves all that has committed until now; answers how many those were. */
  settle(): Promise<number>;
  close(): Promise<void>;
}

export interface MoverDeps {
  readonly db: Kysely<DB>;
  /** Not the pool, which may be what everybody waits for. */
  readonly presence: Pick<Liveness, 'query'>;
  readonly log: Logger;
}

const AT_ONCE = 1000;
/** Between two moves: each waits for the disk, and may as well take what comes meanwhile along. */
const PAUSE_MS = 15;
/** Until the next look for what no commit of this process has told of. */
const POLL_MS = 250;
/** Another process is moving, and may not have seen what was told of here. */
const BUSY_MS = 10;
const AWAY_MS = 500;

/**
 * Gives what has happened its place in the log (see migration 0045). Every process does so for itself,
 * after its own commits and now and then, one at a time over all; so there is none that the others would
 * have to wait for, or replace.
 */
export function createMover({ db, presence, log }: MoverDeps): Mover {
  const floor = createFloor(presence);
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
    isAsked = false;
    running = pass({ presence, log }, floor).then((pauseMs) => {
      running = undefined;
      const restMs = Math.min(pauseMs, PAUSE_MS);
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

/** One look; answers how long to wait before the next. */
async function pass(
  { presence, log }: Pick<MoverDeps, 'presence' | 'log'>,
  floor: Floor,
): Promise<number> {
  try {
    const moved = await move(presence, floor);
    if (moved === null) return BUSY_MS;
    await floor.passed({ any: moved > 0, isBehind: moved === AT_ONCE });
    return moved > 0 ? PAUSE_MS : POLL_MS;
  } catch (error) {
    if (!isDatabaseUnavailable(error))
      log.error({ err: error }, 'Events could not be moved to the log');
    return AWAY_MS;
  }
}

/** How many were moved; null while another process is at it. */
async function move(presence: MoverDeps['presence'], floor: Floor): Promise<number | null> {
  const [row] = await presence.query<{ moved: number | null }>(
    'select moved from events.move($1, $2)',
    [floor.value, AT_ONCE],
  );
  return row?.moved ?? null;
}

async function moveAll(presence: MoverDeps['presence'], floor: Floor): Promise<number> {
  let total = 0;
  for (let moved: number | null = null; moved !== 0; total += moved ?? 0)
    moved = await move(presence, floor);
  return total;
}
