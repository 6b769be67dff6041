import { type Db, run, runLater } from '../db/db.ts';
import { deleteInBatches } from '../db/in-batches.ts';
import { networkOf } from './network.ts';

/** Of a user, the last ones: people are at home, at work, on the way. */
const KEPT = 20;
const DAY_MS = 24 * 3600_000;
/** Half a year; addresses change hands. */
const KNOWN_MS = 180 * DAY_MS;

/** From here on the user is known in that network: a log-in there has proven everything. */
export async function recordNetwork(tx: Db, user_id: number, ip: string, now: Date): Promise<void> {
  await runLater(tx, NOTE, [user_id, networkOf(ip), now, new Date(now.getTime() - DAY_MS)]);
}

/** Those of the users who have logged in before in that network. */
export async function usersKnownIn(
  db: Db,
  user_ids: readonly number[],
  { ip, now }: { readonly ip: string; readonly now: Date },
): Promise<Set<number>> {
  const since = new Date(now.getTime() - KNOWN_MS);
  const rows = await run<{ user_id: number }>(db, KNOWN, [user_ids, networkOf(ip), since]);
  return new Set(rows.map(({ user_id }) => user_id));
}

/** Forgets networks that were not used for long. */
export async function forgetNetworks(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KNOWN_MS);
  await deleteInBatches(db, 'user_networks', 'last_seen < $1', [before]);
}

/** Written once a day where the network is known; a new one takes the place of the oldest. */
const NOTE = `
  with noted as (
    insert into user_networks (user_id, network, last_seen) values ($1, $2, $3)
    on conflict (user_id, network) do update set last_seen = excluded.last_seen
     where user_networks.last_seen < $4
    returning xmax = 0 as is_new)
  delete from user_networks n using noted
   where is_new and n.user_id = $1 and n.network in (
     select network from user_networks
      where user_id = $1 and network <> $2 order by last_seen desc offset ${KEPT - 1})`;

const KNOWN = `
  select user_id from user_networks
   where user_id = any($1::integer[]) and network = $2 and last_seen >= $3`;
