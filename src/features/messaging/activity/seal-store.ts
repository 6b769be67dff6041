import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type Seal = Row<'activity_seals', 'after' | 'upto' | 'lines' | 'digest' | 'mark'>;
/** Lines of the log, in the form that a seal covers. */
export type SealRange = Pick<Seal, 'upto' | 'lines' | 'digest'>;

/** Each column by itself, so that no text can pass for two columns; without columns of later migrations. */
const LINE = `jsonb_build_array(id, action, client_id, actor_user_id, actor_role, subject_user_id, details, ip,
  user_agent, request_id, extract(epoch from at))::text`;

/** The first `limit` lines after `after`, up to `upto`; undefined without any. */
export async function stretchOf(
  db: Db,
  { after, upto }: Pick<Seal, 'after' | 'upto'>,
  limit: number,
): Promise<SealRange | undefined> {
  const [found] = await run<SealRange>(
    db,
    `select max(id) as upto, count(*)::integer as lines,
       sha256(convert_to(string_agg(line, E'\\n' order by id), 'UTF8')) as digest
     from (select id, ${LINE} as line from activity_log where id > $1 and id <= $2 order by id limit $3) l
     having count(*) > 0`,
    [after, upto, limit],
  );
  return found;
}

const NEWEST = 'select id from activity_log order by id desc limit 1';
export const LINES = { progress: 'activity_sealing', newest: NEWEST } as const;

/** The number of the last line; 0 where there is none. */
export async function newestLine(db: Db): Promise<number> {
  const [newest] = await run<Row<'activity_log', 'id'>>(db, NEWEST, []);
  return newest?.id ?? 0;
}

/** The line up to which a seal may reach; locks out other runs until the transaction ends. */
export async function lockSealing(tx: Db): Promise<number> {
  const text = 'select decided from activity_sealing for update';
  const [row] = await run<Row<'activity_sealing', 'decided'>>(tx, text, []);
  return row?.decided ?? 0;
}

const SEAL = 'after, upto, lines, digest, mark';

export async function lastSeal(db: Db): Promise<Seal | undefined> {
  const text = `select ${SEAL} from activity_seals order by upto desc limit 1`;
  return (await run<Seal>(db, text, []))[0];
}

export async function insertSeal(tx: Db, seal: Seal): Promise<void> {
  const { after, upto, lines, digest, mark } = seal;
  await run(tx, `insert into activity_seals (${SEAL}) values ($1, $2, $3, $4, $5)`, [
    ...[after, upto, lines, digest, mark],
  ]);
}

/** In their order. */
export const sealsAfter = (db: Db, upto: number, limit: number): Promise<Seal[]> =>
  run<Seal>(db, `select ${SEAL} from activity_seals where upto > $1 order by upto limit $2`, [
    upto,
    limit,
  ]);
