import { type Db, run } from '#kernel/db/db.ts';
import { counted, noteFinding, ok, type RestoreFindings, wrong } from './finding.ts';

/** Against what the age of a copy is held. */
export interface AgeLimits {
  /** When the database was lost, or now. */
  readonly at: Date;
  /** How old the newest row may be, in seconds; any age without it. */
  readonly rpoSeconds?: number | undefined;
  /** The database that the copy is of, where that is still there. */
  readonly live?: Db | undefined;
}

/** How much is lost with what came after the copy: the recovery point that the backups have really reached. */
export async function checkAge(
  db: Db,
  { at, rpoSeconds, live }: AgeLimits,
): Promise<RestoreFindings[]> {
  const newest = await newestOf(db);
  if (newest === undefined)
    return [wrong('There is no row with a time: this is an empty database')];
  const seconds = Math.max(0, Math.round((at.getTime() - Date.parse(newest)) / 1000));
  const says = `The newest row is of ${newest}: ${ageInWords(seconds)} before ${at.toISOString()}`;
  const isLate = rpoSeconds !== undefined && seconds > rpoSeconds;
  const age = isLate ? wrong(`${says}, where ${ageInWords(rpoSeconds)} are wanted`) : ok(says);
  return live === undefined ? [age] : [age, await comparedWith(live, db)];
}

interface Lost {
  readonly transfers: number;
  readonly first: string | null;
  readonly last: string | null;
}

/** What the database has that the copy lacks. Transfers are numbered in their order and never go. */
async function comparedWith(live: Db, copy: Db): Promise<RestoreFindings> {
  const [known] = await run<{ upto: number }>(
    copy,
    'select coalesce(max(transfer_id), 0)::bigint as upto from ledger.transfers',
    [],
  );
  const [lost] = await run<Lost>(
    live,
    `select count(*)::integer as transfers, min(created_at) as first, max(created_at) as last
     from ledger.transfers where transfer_id > $1`,
    [known?.upto ?? 0],
  );
  if (!lost || lost.transfers === 0) return ok('Every posting of the database is in the copy');
  const { transfers, first, last } = lost;
  return noteFinding(
    `The database has ${counted(transfers, 'posting')} that the copy lacks, of ${first} to ${last}`,
  );
}

/** What every process writes all the time; the schedules write even where no user pays. */
async function newestOf(db: Db): Promise<string | undefined> {
  const [row] = await run<{ newest: string | null }>(db, NEWEST, []);
  return row?.newest ?? undefined;
}

const NEWEST = `
  select greatest(
    (select created_at from ledger.transfers order by transfer_id desc limit 1),
    (select greatest(verified_at, whole_at) from ledger.verification),
    (select max(opened_at) from effects),
    (select max(last_received_at) from inbox),
    (select max(updated_at) from sagas),
    (select max(created_at) from sessions)) as newest`;

const UNITS = [
  [86_400, 'day'],
  [3600, 'hour'],
  [60, 'minute'],
] as const;

/** Seconds as people say them: `5 minutes`, `2 hours`. */
function ageInWords(seconds: number): string {
  const [size, unit] = UNITS.find(([each]) => seconds >= 2 * each) ?? [1, 'second'];
  return counted(Math.floor(seconds / size), unit);
}
