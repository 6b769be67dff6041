import { type Db, now } from '#kernel/db/db.ts';
import { foldedName } from '#kernel/names.ts';

/** Nothing when the client does not exist. */
export const findClientOfInstance = (db: Db, client_id: number) =>
  db
    .selectFrom('clients')
    .select(['client_id', 'client_code', 'country_code', 'ekyc_status'])
    .where('client_id', '=', client_id)
    .executeTakeFirst();

/** Newest first. */
export const instancesOf = (
  db: Db,
  { client_id, limit, before }: { client_id: number; limit: number; before?: number | undefined },
) =>
  db
    .selectFrom('instances')
    .select(['instance_id', 'client_id', 'instance_name', 'client_alias', 'instance_status'])
    .where('client_id', '=', client_id)
    .$if(before !== undefined, (query) => query.where('instance_id', '<', before ?? 0))
    .orderBy('instance_id', 'desc')
    .limit(limit)
    .execute();

/** Nothing when the client already has an instance of that name, or of one that looks the same. */
export const insertInstance = (db: Db, client_id: number, instance_name: string) =>
  db
    .insertInto('instances')
    .values({ client_id, instance_name, folded_name: foldedName(instance_name) })
    .onConflict((conflict) => conflict.constraint('instances_name_per_client').doNothing())
    .returning([...INSTANCE, 'created_at', 'updated_at'])
    .executeTakeFirst();

/** Nothing when the client has no such instance. */
export const renameInstance = (
  db: Db,
  { client_id, instance_id, alias }: { client_id: number; instance_id: number; alias: string },
) =>
  db
    .updateTable('instances')
    .set({ client_alias: alias, updated_at: now })
    .where('instance_id', '=', instance_id)
    .where('client_id', '=', client_id)
    .returning(INSTANCE)
    .executeTakeFirst();

/** The deleted instance; nothing when the client has no such instance. */
export const deleteInstance = (db: Db, client_id: number, instance_id: number) =>
  db
    .deleteFrom('instances')
    .where('instance_id', '=', instance_id)
    .where('client_id', '=', client_id)
    .returning(INSTANCE)
    .executeTakeFirst();

const INSTANCE = [
  'instance_id',
  'client_id',
  'instance_name',
  'client_alias',
  'instance_status',
] as const;
