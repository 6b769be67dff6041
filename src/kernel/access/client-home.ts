import { type Db, run } from '../db/db.ts';

/** The client's country and time zone, for phone numbers and days that name none. */
export interface ClientHome {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** IANA, such as `Asia/Jakarta`. */
  readonly time_zone: string;
}

/** The home of a client that exists. */
export async function clientHomeOf(db: Db, client_id: number): Promise<ClientHome> {
  const [home] = await run<ClientHome>(
    db,
    'select country_code as country, time_zone from clients where client_id = $1',
    [client_id],
  );
  if (home === undefined) throw new Error(`Client ${client_id} does not exist`);
  return home;
}
