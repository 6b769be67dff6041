import type pg from 'pg';
import type { Claimed, Worker } from './worker.ts';

/** At most so many jobs at a time in one process. */
const RUNNING_MAX = 20;

/** Ends what these runs have done, and takes what is due as far as there is room. */
export const TURN = 'select * from turn_jobs($1, $2, $3, $4, $5, $6)';

/** What a process may take of one kind. */
interface KindRoom {
  readonly name: string;
  readonly room: number;
}

/** Of which kinds a process takes how many, the ones with the least running first, so that none is starved. */
export interface JobRoom {
  readonly open: readonly KindRoom[];
  readonly kinds: string;
  readonly rooms: string;
  /** Of each kind the client that had the last turn; NULL where clients need no turns. */
  readonly turns: string;
  readonly most: number;
}

/** The client that had the last turn in each kind of which more may wait than there was room for. */
export type Turns = Map<string, number>;

/** Stands for jobs whose client is not known. */
const NO_CLIENT = 0;

/** As arrays of PostgreSQL; names of jobs have nothing that would have to be marked. */
const arrayOf = (values: readonly (string | number)[]): string => `{${values.join()}}`;

export type RoomBeside = (running: Iterable<Claimed>) => JobRoom;

/** The texts of a process that runs nothing are made once: it has a hundred kinds, and looks each second. */
export function roomsOf(workers: ReadonlyMap<string, Worker>, turns: Turns): RoomBeside {
  const all = [...workers].map(([name, { concurrency }]) => ({ name, concurrency }));
  const everything = all.map(({ name, concurrency }) => ({ name, room: concurrency }));
  const idle = { ...roomFor(everything, turns), most: RUNNING_MAX };
  return (running) => {
    const busy = new Map<string, number>();
    for (const { name } of running) busy.set(name, (busy.get(name) ?? 0) + 1);
    if (busy.size === 0)
      return turns.size === 0 ? idle : { ...idle, turns: turnsOf(everything, turns) };
    const most = RUNNING_MAX - [...busy.values()].reduce((sum, n) => sum + n, 0);
    const open = all
      .map(({ name, concurrency }) => ({ name, mine: busy.get(name) ?? 0, concurrency }))
      .filter(({ mine, concurrency }) => mine < concurrency)
      .sort((a, b) => a.mine - b.mine)
      .map(({ name, mine, concurrency }) => ({ name, room: concurrency - mine }));
    return { ...roomFor(open, turns), most };
  };
}

const roomFor = (open: readonly KindRoom[], turns: Turns) => ({
  open,
  kinds: arrayOf(open.map(({ name }) => name)),
  rooms: arrayOf(open.map(({ room }) => room)),
  turns: turnsOf(open, turns),
});

const turnsOf = (open: readonly KindRoom[], turns: Turns): string =>
  arrayOf(open.map(({ name }) => turns.get(name) ?? 'NULL'));

/**
 * Clients have turns only where more may wait than there was room for, since turns cost more than to take what there is.
 * Where all of a process's room was used up, a kind of which nothing was taken keeps its turn.
 */
export function noteTurns(turns: Turns, { open, most }: JobRoom, taken: readonly Claimed[]): void {
  if (taken.length === 0 && turns.size === 0) return;
  const isAll = taken.length < most;
  const byKind = Map.groupBy(taken, ({ name }) => name);
  for (const { name, room } of open) {
    const jobs = byKind.get(name) ?? [];
    const last = jobs.at(-1);
    if (last && (jobs.length >= room || !isAll)) turns.set(name, last.client_id ?? NO_CLIENT);
    else if (isAll) turns.delete(name);
  }
}

interface Turn {
  /** Of those that were to be ended, the ids that still were this process's. */
  readonly ended: ReadonlySet<string>;
  readonly taken: readonly Claimed[];
}

type Answered = Omit<Claimed, 'name'> & { readonly name: string | null };

/** Asks for one turn; with room for none only ends. */
export async function takeTurn(
  queue: Pick<pg.Pool, 'query'>,
  done: readonly Claimed[],
  { kinds, rooms, turns, most }: Omit<JobRoom, 'open'>,
): Promise<Turn> {
  const values = [
    arrayOf(done.map(({ id }) => id)),
    arrayOf(done.map(({ attempt }) => attempt)),
    kinds,
    rooms,
    turns,
    most,
  ];
  const { rows } = await queue.query<Answered>(TURN, values);
  const taken = rows.filter((row): row is Claimed => row.name !== null);
  const ended = rows.filter(({ name }) => name === null);
  return { ended: new Set(ended.map(({ id }) => id)), taken };
}
