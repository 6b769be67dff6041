import { monotonicMs } from '../clock.ts';
import type { Liveness } from '../db/liveness.ts';

/** At it and below there is nothing in the outbox, and never will be. */
export interface LowWaterMark {
  readonly value: number;
  /** After a move of this process; `isBehind` where it may have left something. */
  passed(moved: { readonly any: boolean; readonly isBehind: boolean }): Promise<void>;
}

const LOOK_MS = 1000;
/** From then on it is found anew: were there anything wrong with all of this, nothing would be lost. */
const FORGET_MS = 600_000;

interface Mark {
  /** The last number that was given out. */
  readonly given: number;
  /** Transactions below this one have ended. */
  readonly ended: string;
  /** This one and later ones have not begun. */
  readonly begun: string;
}

/**
 * Spares a move the rows that others took before it, which stay in its way for as long as anybody looks
 * at the database as it was then: for an hour of a backup, at worst.
 *
 * Found in steps a second apart: which numbers are given out; who has begun, by when all of those have
 * their row; that all of these have ended; and a move after that, which took what they have left.
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
    // Nothing new: the next look is worth nothing before something has moved.
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
