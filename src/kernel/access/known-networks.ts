import { networkOf } from '#kernel/network.ts';
import type { Db } from '../db/db.ts';
import { deferWrite } from '../db/deferred-writes.ts';
import { deleteInBatches } from '../db/in-batches.ts';

/** Of a user, the last ones: people are at home, at work, on the way. */
const KEPT = 20;
const DAY_MS = 24 * 3600_000;
/** Half a year; addresses change hands. */
const KNOWN_MS = 180 * DAY_MS;

/** From here on the user is known in that network: a log-in there has proven everything. */
export async function recordNetwork(tx: Db, user_id: number, ip: string, now: Date): Promise<void> {
  const network = networkOf(ip);
  await deferWrite(tx, NOTE, [user_id, network, now, new Date(now.getTime() - DAY_MS)]);
  await deferWrite(tx, FORGET, [user_id, network]);
}

/** For SQL by hand: whether that user has logged in before in that network, not before that time. */
export const isKnownIn = (user_id: string, network: string, since: string): string => `
  exists (select from user_networks n
    where n.user_id = ${user_id} and n.network = ${network} and n.last_seen >= ${since})`;

/** Since when a network counts as known. */
export const knownSince = (now: Date): Date => new Date(now.getTime() - KNOWN_MS);

/** Forgets networks that were not used for long. */
export async function forgetNetworks(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, 'user_networks', 'last_seen < $1', [knownSince(now)]);
}

/** Written once a day where the network is known. */
const NOTE = `
  insert into user_networks (user_id, network, last_seen) values ($1, $2, $3)
  on conflict (user_id, network) do update set last_seen = excluded.last_seen
   where user_networks.last_seen < $4`;

/** A new one takes the place of the oldest; where it is known there are no more than are kept. */
const FORGET = `
  delete from user_networks where user_id = $1 and network in (
    select network from user_networks
     where user_id = $1 and network <> $2 order by last_seen desc offset ${KEPT - 1})`;
