import { monotonicMs } from '../clock.ts';
import type { Liveness } from '../db/liveness.ts';

/** The outbox has no row at or below it, and never will. */
export interface LowWaterMark {
  readonly value: number;
  /** Call it after a move of this process; `isBehind` where that may have left rows. */
  passed(moved: { readonly any: boolean; readonly isBehind: boolean }): Promise<void>;
}

const LOOK_MS = 1000;
/** After this it starts again from zero: were the mark ever wrong, no event would be lost. */
const FORGET_MS = 600_000;

interface Mark {
  /** The last number of the sequence. */
  readonly given: number;
  /** Transactions below this one have ended. */
  readonly ended: string;
  /** This one and later ones have not begun. */
  readonly begun: string;
}

/**
 * Lets a move skip the dead rows of earlier moves, which stay in its way for as long as an older snapshot of the
 * database is open: for an hour of a backup, at worst.
 *
 * It rises in steps a second apart: read the numbers in use; read the transactions that have begun, by when all those
 * numbers have their row; see that these transactions have ended; and complete a move after that, which took their rows.
 */
export function createLowWaterMark(
  presence: Pick<Liveness, 'query'>,
  nowMs = monotonicMs,
): LowWaterMark {
  let value = 0;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let forgetAt = nowMs() + FORGET_MS;
  let isMoving = true;
  let given: number | undefined;
  let waited: { readonly given: number; readonly begun: bigint } | undefined;
  let ended: number | undefined;

  function take(mark: Mark): void {
    if (waited && BigInt(mark.ended) >= waited.begun) {
      ended = waited.given;
      waited = undefined;
    }
    if (!waited && given !== undefined) waited = { given, begun: BigInt(mark.begun) };
    // No new numbers: the next look is useless before a move has found rows.
    if (mark.given === given && value >= given) isMoving = false;
    given = mark.given;
  }

  return {
    get value() {
      return value;
    },
    async passed({ any, isBehind }) {
      isMoving ||= any;
      if (isBehind) return;
      if (ended !== undefined) value = Math.max(value, ended);
      ended = undefined;
      const now = nowMs();
      if (now >= forgetAt) {
        [value, given, waited] = [0, undefined, undefined];
        forgetAt = now + FORGET_MS;
      }
      if (!isMoving || now < lookedAt + LOOK_MS) return;
      lookedAt = now;
      take(await look(presence));
    },
  };
}

async function look(presence: Pick<Liveness, 'query'>): Promise<Mark> {
  const [mark] = await presence.query<Mark>(
    `select coalesce(pg_sequence_last_value('events.outbox_outbox_id_seq'), 0)::float8 as given,
       pg_snapshot_xmin(pg_current_snapshot())::text as ended,
       pg_snapshot_xmax(pg_current_snapshot())::text as begun`,
    [],
  );
  if (!mark) throw new Error('The outbox has no numbers');
  return mark;
}
