import type { Static } from 'typebox';
import { type Db, run } from '#kernel/db/db.ts';
import { readTallies } from '#kernel/tallies/tallies.ts';
import type { StatisticsReply } from './schemas.ts';

type Statistics = Static<typeof StatisticsReply>['data'];
type Tallies = ReadonlyMap<string, number>;

const HOUR_MS = 3600 * 1000;
const DAY_MS = 24 * HOUR_MS;
const METHOD = 'method ';
const NEW = 'new ';
const USED = 'used ';

/**
 * Counts of the mappings of one client's users, or of all clients' (contract part 1, stats). The table `tallies`
 * keeps them by the hour of the last use and the day of the first, which is the precision of the last 24 hours, 7 and
 * 30 days.
 */
export async function countMappings(
  db: Db,
  client_id: number | undefined,
  at: Date,
): Promise<Statistics> {
  const subject = client_id === undefined ? 'extauth' : `extauth of ${client_id}`;
  const tallies = await readTallies(db, subject);
  const total = tallies.get('accounts') ?? 0;
  // Every user with mappings has one primary.
  const users = tallies.get('primaries') ?? 0;
  const ago = (ms: number) => new Date(at.getTime() - ms).toISOString();
  const days = since(tallies, NEW, ago(30 * DAY_MS).slice(0, 10));
  return {
    overview: {
      total_ext_accounts: total,
      unique_users: users,
      primary_auth_methods: users,
      accounts_per_user_avg: users === 0 ? 0 : Math.round((total / users) * 100) / 100,
    },
    auth_methods: Object.fromEntries(since(tallies, METHOD, '')),
    activity: {
      active_last_24h: sumOf(since(tallies, USED, ago(DAY_MS).slice(0, 13))),
      active_last_7d: sumOf(since(tallies, USED, ago(7 * DAY_MS).slice(0, 13))),
      new_accounts_30d: sumOf(days),
    },
    recent_signups: days.map(([date, new_accounts]) => ({ date, new_accounts })).reverse(),
  };
}

/** Entries of that kind named from `first` on, in the order of the names. */
const since = (tallies: Tallies, kind: string, first: string): [string, number][] =>
  [...tallies]
    .filter(([what]) => what.startsWith(kind) && what.slice(kind.length) >= first)
    .map(([what, n]): [string, number] => [what.slice(kind.length), n])
    .sort(([a], [b]) => (a < b ? -1 : 1));

const sumOf = (counts: readonly [string, number][]) => counts.reduce((sum, [, n]) => sum + n, 0);

/** Throws when the mappings cannot be read. */
export const touchMappings = (db: Db) => run(db, 'select 1 from ext_mappings limit 1', []);
