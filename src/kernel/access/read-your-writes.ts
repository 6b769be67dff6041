import type { Kysely } from 'kysely';
import { createBatcher } from '#kernel/batcher.ts';
import { run } from '#kernel/db/db.ts';
import type { DB } from '#kernel/db/schema.generated.ts';
import { monotonicMs } from '../clock.ts';
import { EVERYBODY } from './change-scopes.ts';

/** The position in the leader's log that a replica must have reached to answer. */
export interface RequiredPosition {
  readonly position: string;
  /** The position is of the reader's own changes, and not only of the oldest allowed state. */
  readonly isOwn: boolean;
}

export interface ReadYourWrites {
  /** Records that these scopes have committed changes. Never rejects. */
  note(scopes: readonly string[]): Promise<void>;
  /** The position for a reader who has to see the changes of these; undefined where only the leader will do. */
  needed(scopes: readonly string[]): Promise<RequiredPosition | undefined>;
  close(): void;
}

const AGAIN_MS = 500;
const NOTED_AT_ONCE = 256;

/**
 * Records on the leader, where every process sees it, where in the leader's log the last changes of callers are
 * (migration 0056). `staleMs`: how old other data of a replica may be.
 */
export function createReadYourWrites(db: Kysely<DB>, staleMs: number): ReadYourWrites {
  const history = createHistory(staleMs);
  /** A change of this process could not be recorded: no read here goes to a replica until it is. */
  let retry: NodeJS.Timeout | undefined;
  const noteAll = createBatcher<readonly string[], undefined>({
    many: async (items) => {
      await run(db, 'select note_changed($1)', [[...new Set(items.flat())]]);
      return items.map(() => undefined);
    },
    max: NOTED_AT_ONCE,
  });
  const noteAllCallers = () => {
    retry ??= setTimeout(() => {
      run(db, 'select note_changed($1)', [[EVERYBODY]]).then(
        () => {
          retry = undefined;
        },
        () => {
          retry = undefined;
          noteAllCallers();
        },
      );
    }, AGAIN_MS).unref();
  };
  return {
    note: (scopes) =>
      scopes.length === 0 ? Promise.resolve() : noteAll(scopes).catch(noteAllCallers),
    async needed(scopes) {
      if (retry !== undefined) return undefined;
      const askedAt = monotonicMs();
      const [row] = await run<PositionRow>(db, ASKED, [scopes]);
      const oldest = row && history.since(askedAt, row.latest);
      if (row?.own == null || oldest === undefined) {
        await run(db, FOUNDED, []);
        return undefined;
      }
      const isOwn = walPositionOf(row.own) > walPositionOf(oldest);
      return { position: isOwn ? row.own : oldest, isOwn };
    },
    close: () => clearTimeout(retry),
  };
}

interface PositionRow {
  /** Null where place 0 is missing, or of another server. */
  readonly own: string | null;
  readonly latest: string;
}

const ASKED = `
  select case when bool_or(place = 0 and position <= l.latest) then least(max(position), l.latest)::text end as own,
    l.latest::text as latest
  from (select pg_current_wal_insert_lsn() as latest) l left join read_fence
    on place = any(array(select fence_place(mark) from unnest($1::text[]) as mark))
  group by l.latest`;
/** Greater than what the log has come to is of a copy of another server. */
const FOUNDED = `
  insert into read_fence as f (place, position) values (0, pg_current_wal_insert_lsn())
  on conflict (place) do update set position = excluded.position
  where f.position > excluded.position`;

/** As a number: it is written as two of 32 bits. */
export function walPositionOf(text: string): bigint {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

/** Samples kept of the time for which a replica may be behind. */
const SAMPLES = 20;

/**
 * How far the leader's log had come when, by our own clock: a replica that is at the oldest position of the last
 * `staleMs` or beyond is no further behind than that, whatever its clock says.
 */
function createHistory(staleMs: number) {
  let samples: { readonly at: number; readonly position: string }[] = [];
  return {
    /** The oldest that is not too old; `position` itself where nothing is known. */
    since(at: number, position: string): string {
      samples = samples.filter((sample) => sample.at > at - staleMs);
      const newest = samples.at(-1);
      if (newest === undefined || at - newest.at >= staleMs / SAMPLES)
        samples.push({ at, position });
      return samples[0]?.position ?? position;
    },
  };
}
