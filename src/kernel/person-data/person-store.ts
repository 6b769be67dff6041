import { type Db, run } from '../db/db.ts';
import { type Asset, format, isAsset } from '../money/money.ts';
import { transact } from '../transact.ts';
import type { Erasure, ExportedTable, PersonRows, PersonTable } from './person-table.ts';

/** Rows of a statement: what an export holds in memory at a time. */
const READ_AT_ONCE = 500;
/** Rows of a transaction of an erasure: it is short, and locks few. */
const ERASED_AT_ONCE = 500;

type Found = Readonly<Record<string, unknown>>;

/** What an export shows of a person's rows in a table, in the order of its key. */
export async function* rowsOfPerson(
  db: Db,
  one: PersonTable,
  { columns, money }: ExportedTable,
  user_id: number,
): PersonRows {
  const read = [...new Set([...columns, ...Object.values(money)])].join(', ');
  for (let after: Place | undefined; ; ) {
    const text = `select ${read}, ${placesOf(one)} ${pageOf(one, after, READ_AT_ONCE)}`;
    const found = await run<Found>(db, text, [user_id, ...(after ?? [])]);
    if (found.length > 0) yield found.map((row) => shownRow(row, columns, money));
    if (found.length < READ_AT_ONCE) return;
    after = placeOf(one, found.at(-1));
  }
}

/** Where a page ends: the key of its last row. */
type Place = readonly unknown[];

const placesOf = ({ key }: PersonTable): string =>
  key.map((column, i) => `${column}::text as place_${i}`).join(', ');

const placeOf = ({ key }: PersonTable, row: Found | undefined): Place =>
  key.map((_, i) => row?.[`place_${i}`]);

/** The person is `$1`, the place the values after it. */
const pageOf = (
  { table, owner, key }: PersonTable,
  after: Place | undefined,
  limit: number,
  first = 2,
): string => {
  const onward = `and (${key.join(', ')}) > (${key.map((_, i) => `$${i + first}`).join(', ')})`;
  return `from ${table} where ${owner} = $1 ${after ? onward : ''} order by ${key.join(', ')} limit ${limit}`;
};

const shownRow = (row: Found, columns: readonly string[], money: ExportedTable['money']): Found =>
  Object.fromEntries(
    columns.map((column) => {
      const value = row[column];
      const asset = row[money[column] ?? ''];
      return [column, typeof value === 'bigint' ? amountOf(value, asset) : value];
    }),
  );

/** As callers see it; of an asset that is not known any more, and of what is no money, the whole number. */
const amountOf = (units: bigint, asset: unknown): string =>
  typeof asset === 'string' && isAsset(asset)
    ? format({ asset: asset as Asset, units })
    : `${units}`;

interface Erasing {
  /** That a row is not erased yet. */
  isLeft(column: string): string;
  to(column: string): string;
}

const ERASING: Readonly<Record<Erasure, Erasing>> = {
  emptied: { isLeft: (column) => `${column} is not null`, to: () => 'null' },
  numbered: {
    isLeft: (column) => `${column} <> $2`,
    to: (column) => `case when ${column} is not null then $2 end`,
  },
  fields: {
    isLeft: (column) => `exists (select from jsonb_each_text(${column}) f where f.value <> $2)`,
    to: (column) => `(select coalesce(jsonb_object_agg(f.key,
      case when f.value is null then 'null'::jsonb else to_jsonb($2::text) end), '{}'::jsonb)
      from jsonb_each_text(${column}) f)`,
  },
  ended: {
    isLeft: (column) => `${column} is null`,
    to: (column) => `coalesce(${column}, service_now())`,
  },
};

/**
 * Erases what a table holds of a person, a batch a transaction: a process that dies leaves batches that are whole, and
 * the next one goes through the rows again and changes what is not erased yet. It ends with a pass that finds nothing.
 */
export async function erasePersonTable(db: Db, one: PersonTable, user_id: number): Promise<void> {
  if (one.erased === 'rows') return deleteRows(db, one, user_id);
  const erasures = Object.entries(one.erased);
  if (erasures.length === 0) return;
  for (;;) if ((await erasePass(db, one, erasures, user_id)) === 0) return;
}

/** Answers how many rows it changed. */
async function erasePass(
  db: Db,
  one: PersonTable,
  erasures: readonly (readonly [string, Erasure])[],
  user_id: number,
): Promise<number> {
  let changed = 0;
  for (let after: Place | undefined; ; ) {
    const text = erasingText(one, erasures, after);
    const values = [user_id, erasedName(user_id), ...(after ?? [])];
    const page = await transact(db, (tx) => run<Found>(tx, text, values));
    changed += Number(page[0]?.['changed'] ?? 0);
    if (page.length < ERASED_AT_ONCE) return changed;
    after = placeOf(one, page.at(-1));
  }
}

function erasingText(
  one: PersonTable,
  erasures: readonly (readonly [string, Erasure])[],
  after: Place | undefined,
): string {
  const left = erasures.map(([column, how]) => ERASING[how].isLeft(column));
  const set = erasures.map(([column, how]) => `${column} = ${ERASING[how].to(column)}`);
  return `with page as (select ctid as row, ${placesOf(one)}, $2::text as name
      ${pageOf(one, after, ERASED_AT_ONCE, 3)}),
    erased as (update ${one.table} set ${set.join(', ')}
      where ctid = any(array(select row from page limit ${ERASED_AT_ONCE})) and (${left.join(' or ')}) returning 1)
    select page.*, (select count(*) from erased) as changed from page limit ${ERASED_AT_ONCE}`;
}

async function deleteRows(db: Db, { table, owner }: PersonTable, user_id: number): Promise<void> {
  const text = `delete from ${table} where ${owner} = $1 and ctid = any(array(
      select ctid from ${table} where ${owner} = $1 limit ${ERASED_AT_ONCE})) returning 1`;
  while ((await run(db, text, [user_id])).length > 0);
}

/** What stands in the place of what is erased but may not be empty. */
const erasedName = (user_id: number): string => `erased-${user_id}`;
