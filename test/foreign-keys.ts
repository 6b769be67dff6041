import { type Db, run } from '#kernel/db/db.ts';

/** A foreign key, with its columns in the order of the columns that they name. */
export interface ForeignKey {
  readonly table: string;
  readonly columns: readonly string[];
  readonly target: string;
  readonly keys: readonly string[];
}

/** All of the database; that of a partition is its table's. */
export const foreignKeys = (db: Db): Promise<ForeignKey[]> =>
  run<ForeignKey>(
    db,
    `select k.conrelid::regclass::text as "table", k.confrelid::regclass::text as target,
       (select json_agg(a.attname order by c.n) from unnest(k.conkey) with ordinality c(attnum, n)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = c.attnum) as columns,
       (select json_agg(a.attname order by c.n) from unnest(k.confkey) with ordinality c(attnum, n)
          join pg_attribute a on a.attrelid = k.confrelid and a.attnum = c.attnum) as keys
      from pg_constraint k where k.contype = 'f' and k.conparentid = 0 order by 1, 3::text`,
    [],
  );
