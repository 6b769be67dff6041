import type { Db } from '#kernel/db/db.ts';
import { run } from '#kernel/db/db.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { BookLine, BookPage, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';

/** Two sides' books as tables, for tests of the comparison. */
export const BOOKS_SQL = `
  create table books (
    side text not null, line text not null, reference text not null, kind text not null,
    asset text not null, units numeric(38, 0) not null, at timestamptz not null, client_id integer,
    primary key (side, line));
  create index books_at on books (side, at, line)`;

type SideName = 'OURS' | 'THEIRS';
type Entry = Partial<Omit<BookLine, 'line'>> & Pick<BookLine, 'line' | 'units' | 'at'>;

/** Inserts entries, or replaces those of the same name. */
export async function write(db: Db, side: SideName, ...entries: readonly Entry[]): Promise<void> {
  await run(
    db,
    `insert into books (side, line, reference, kind, asset, units, at, client_id)
     select $1, * from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::numeric[],
       $7::timestamptz[], $8::integer[])
     on conflict (side, line) do update set units = excluded.units, at = excluded.at`,
    [
      side,
      entries.map(({ line }) => line),
      entries.map(({ line, reference = line }) => reference),
      entries.map(({ kind = 'payment' }) => kind),
      entries.map(({ asset = 'USD' }) => asset),
      entries.map(({ units }) => String(units)),
      entries.map(({ at }) => at.toISOString()),
      entries.map(({ clientId }) => clientId ?? null),
    ],
  );
}

export async function erase(db: Db, side: SideName, ...lines: readonly string[]): Promise<void> {
  await run(db, 'delete from books where side = $1 and line = any($2)', [side, lines]);
}

export interface BooksOptions extends Partial<Pick<Rail, 'name' | 'graceMs' | 'toleranceUnits'>> {
  readonly pageSize?: number;
  /** Called before every page: to make a provider unreachable or lie, or a process die. */
  readonly before?: (
    side: SideName,
    window: BookWindow,
    after: string | undefined,
  ) => Promise<Outcome<BookPage> | undefined>;
}

/** A rail over those tables, `theirs` included. */
export function booksRail(db: Db, options: BooksOptions = {}): Rail {
  const { pageSize = 100, before = async () => undefined, ...rest } = options;
  const page = (side: SideName) => (window: BookWindow, after?: string) =>
    readPage(db, side, { ...window, after, pageSize });
  return {
    name: 'test',
    toleranceUnits: 0n,
    graceMs: 600_000,
    isUsed: async () => true,
    ...rest,
    async ours(_, window, after) {
      const instead = await before('OURS', window, after);
      return instead?.kind === 'done' ? instead.value : page('OURS')(window, after);
    },
    theirs: async (window, after) =>
      (await before('THEIRS', window, after)) ?? done(await page('THEIRS')(window, after)),
  };
}

export const away = () => unknown('ECONNREFUSED');

interface PageRequest extends BookWindow {
  readonly after: string | undefined;
  readonly pageSize: number;
}

async function readPage(
  db: Db,
  side: SideName,
  { from, to, after, pageSize }: PageRequest,
): Promise<BookPage> {
  const [at, line] = after?.split('|') ?? [from.toISOString(), ''];
  const rows = await run<Omit<BookLine, 'at' | 'clientId'> & { at: string; client_id: number }>(
    db,
    `select line, reference, kind, asset, units, at, client_id from books
     where side = $1 and (at, line) > ($2, $3) and at < $4 order by at, line limit $5`,
    [side, at, line, to.toISOString(), pageSize],
  );
  const last = rows.at(-1);
  return {
    lines: rows.map(({ at, client_id, ...row }) => ({
      ...row,
      at: new Date(at),
      ...(client_id === null ? {} : { clientId: client_id }),
    })),
    ...(last && rows.length === pageSize ? { next: `${last.at}|${last.line}` } : {}),
  };
}
