import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type PersonExport = Row<'person_exports'>;

export const insertExport = async (
  tx: Db,
  user_id: number,
  export_id: string,
): Promise<PersonExport> => {
  const text = 'insert into person_exports (user_id, export_id) values ($1, $2) returning *';
  const [made] = await run<PersonExport>(tx, text, [user_id, export_id]);
  if (!made) throw new Error('The export was not written');
  return made;
};

/** So many of a day may have failed before it. */
const FAILED_MAX = 50;

/** The last that was asked for since, unless it failed. */
export async function lastExport(
  tx: Db,
  user_id: number,
  since: string,
): Promise<PersonExport | undefined> {
  const text = `select * from (select * from person_exports where user_id = $1 order by serial desc limit ${FAILED_MAX}) e
    where created_at > $2 and status <> 'FAILED' limit 1`;
  return (await run<PersonExport>(tx, text, [user_id, since]))[0];
}

/** Their own, or of any person where none is named. */
export async function findExport(
  db: Db,
  export_id: string,
  user_id?: number,
): Promise<PersonExport | undefined> {
  const text = `select * from person_exports where export_id = $1 and ($2::integer is null or user_id = $2)`;
  return (await run<PersonExport>(db, text, [export_id, user_id ?? null]))[0];
}

/** False where it has ended meanwhile. */
export async function readyExport(
  tx: Db,
  ready: { readonly export_id: string; readonly file_id: string; readonly digest: Buffer },
  times: { readonly ready_at: string; readonly expires_at: string },
): Promise<boolean> {
  const text = `update person_exports set status = 'READY', file_id = $2, digest = $3, ready_at = $4, expires_at = $5
    where export_id = $1 and status = 'PENDING' returning 1`;
  const values = [ready.export_id, ready.file_id, ready.digest, times.ready_at, times.expires_at];
  return (await run(tx, text, values)).length > 0;
}

export const failExport = (db: Db, export_id: string): Promise<unknown> =>
  run(
    db,
    `update person_exports set status = 'FAILED' where export_id = $1 and status = 'PENDING'`,
    [export_id],
  );

/** Uses its link up, once. */
export async function useExportLink(
  tx: Db,
  export_id: string,
  digest: Buffer,
): Promise<PersonExport | undefined> {
  const text = `update person_exports set used_at = service_now()
    where export_id = $1 and digest = $2 and status = 'READY' and used_at is null and expires_at > service_now()
    returning *`;
  return (await run<PersonExport>(tx, text, [export_id, digest]))[0];
}

/** Ends some whose hour is over; answers their files. */
export async function endExports(tx: Db, limit: number): Promise<Pick<PersonExport, 'file_id'>[]> {
  return run(
    tx,
    `with over as (
       select serial, file_id from person_exports where status = 'READY' and expires_at <= service_now()
        order by expires_at limit $1 for update skip locked),
     ended as (update person_exports e set status = 'EXPIRED' from over where e.serial = over.serial)
     select file_id from over`,
    [limit],
  );
}
