import { type Db, run } from '#kernel/db/db.ts';
import { transact } from '#kernel/transact.ts';

/** What simulated providers remember, as JSON by provider, kind and id; big integers as text. */
export interface Records {
  /** False when there is one of that id already; it stays as it is. */
  insert(provider: string, kind: string, id: string, data: object): Promise<boolean>;
  get<T extends object>(provider: string, kind: string, id: string): Promise<T | undefined>;
  /**
   * Changes one under its row lock and answers what it has become. Nothing when there is none, or
   * when `change` answers nothing, which leaves it as it is.
   */
  update<T extends object>(
    provider: string,
    kind: string,
    id: string,
    change: (data: T) => T | undefined,
  ): Promise<T | undefined>;
  /** False when there is none of that id. */
  remove(provider: string, kind: string, id: string): Promise<boolean>;
  /**
   * Several changes that happen all or none, while no other holds the same id, which need not be of a
   * record yet. What `work` does is on the records that it is given.
   */
  exclusively<T>(
    provider: string,
    kind: string,
    id: string,
    work: (records: Records) => Promise<T>,
  ): Promise<T>;
  /**
   * Newest first, at most 100 unless `limit` says otherwise; only those that contain `where` and, where
   * there is one of the id `before`, came earlier than that.
   */
  list<T extends object>(provider: string, kind: string, options?: Listing): Promise<T[]>;
  /** The newest one whose top-level `field` is `value`. */
  find<T extends object>(
    provider: string,
    kind: string,
    field: string,
    value: string | number | boolean,
  ): Promise<T | undefined>;
  /** What is done with the records that `work` gets happens whole, or not at all. */
  atomic<T>(work: (records: Records) => Promise<T>): Promise<T>;
}

export interface Listing {
  readonly limit?: number;
  readonly where?: object;
  readonly before?: string;
}

const LIST_MAX = 1000;
/** Above every number that a row will ever have. */
const LAST_SEQ = '9223372036854775807';

/** Provider, kind and id. */
type Key = readonly [string, string, string];

interface Row<T> {
  readonly data: T;
}

/** Keeps the records in the schema `sandbox` of the service's database. */
export const createRecords = (db: Db): Records => ({
  async insert(provider, kind, id, data) {
    const rows = await run(
      db,
      `insert into sandbox.records (provider, kind, id, data) values ($1, $2, $3, $4::jsonb)
       on conflict (provider, kind, id) do nothing returning id`,
      [provider, kind, id, JSON.stringify(data)],
    );
    return rows.length === 1;
  },

  get: <T extends object>(provider: string, kind: string, id: string) =>
    read<T>(db, '', provider, kind, id),

  update: <T extends object>(
    provider: string,
    kind: string,
    id: string,
    change: (data: T) => T | undefined,
  ) => update(db, [provider, kind, id], change),

  async remove(...key) {
    const rows = await run(
      db,
      `delete from sandbox.records where provider = $1 and kind = $2 and id = $3 returning 1`,
      key,
    );
    return rows.length === 1;
  },

  exclusively: (provider, kind, id, work) =>
    transact(db, async (tx) => {
      const name = JSON.stringify([provider, kind, id]);
      await run(tx, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', [name]);
      return work(createRecords(tx));
    }),

  list: <T extends object>(provider: string, kind: string, options: Listing = {}) =>
    list<T>(db, provider, kind, options),

  find: <T extends object>(
    provider: string,
    kind: string,
    field: string,
    value: string | number | boolean,
  ) => find<T>(db, provider, kind, { [field]: value }),

  atomic: (work) => transact(db, (tx) => work(createRecords(tx))),
});

async function read<T>(db: Db, lock: '' | 'for update', ...key: Key) {
  const rows = await run<Row<T>>(
    db,
    `select data from sandbox.records where provider = $1 and kind = $2 and id = $3 ${lock}`,
    key,
  );
  return rows[0]?.data;
}

const update = <T extends object>(db: Db, key: Key, change: (data: T) => T | undefined) =>
  transact(db, async (tx) => {
    const before = await read<T>(tx, 'for update', ...key);
    const after = before && change(before);
    if (after === undefined) return undefined;
    await run(
      tx,
      `update sandbox.records set data = $4::jsonb
       where provider = $1 and kind = $2 and id = $3`,
      [...key, JSON.stringify(after)],
    );
    return after;
  });

async function list<T>(
  db: Db,
  provider: string,
  kind: string,
  { limit = 100, where = {}, before }: Listing,
): Promise<T[]> {
  const rows = await run<Row<T>>(
    db,
    `select data from sandbox.records
     where provider = $1 and kind = $2 and data @> $3::jsonb
       and seq < coalesce((select seq from sandbox.records
         where provider = $1 and kind = $2 and id = $5), ${LAST_SEQ})
     order by seq desc limit $4`,
    [provider, kind, JSON.stringify(where), Math.min(limit, LIST_MAX), before ?? null],
  );
  return rows.map(({ data }) => data);
}

async function find<T>(
  db: Db,
  provider: string,
  kind: string,
  where: object,
): Promise<T | undefined> {
  const rows = await run<Row<T>>(
    db,
    `select data from sandbox.records
     where provider = $1 and kind = $2 and data @> $3::jsonb order by seq desc limit 1`,
    [provider, kind, JSON.stringify(where)],
  );
  return rows[0]?.data;
}
