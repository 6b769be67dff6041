import pg from 'pg';
import type { Db as BossDb } from 'pg-boss';

/** pg-boss does its own conversions, which ours (see db.ts) would disturb. */
const RAW = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.NUMERIC, String],
  [pg.types.builtins.INT8, String],
  [pg.types.builtins.TIMESTAMPTZ, (text) => new Date(text)],
]);
/** For connections that only pg-boss uses, or statements of its own. */
export const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    RAW.get(oid) ?? pg.types.getTypeParser(oid, format as 'text'),
};

/** Any of its connections: the queue keeps nothing in a session. */
export const over = (pool: pg.Pool): BossDb => ({
  executeSql: (text, values) =>
    // Without values it may be several statements, which only the simple protocol takes.
    pool.query(values?.length ? { text, values, types } : { text, types }),
});
