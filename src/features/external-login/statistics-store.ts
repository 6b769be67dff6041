import type { Static } from 'typebox';
import { type Db, run } from '#kernel/db/db.ts';
import type { StatisticsReply } from './schemas.ts';

type Statistics = Static<typeof StatisticsReply>['data'];

const REACHED = `
  with reached as materialized (
    select m.* from ext_mappings m join users u using (user_id)
     where $1::int is null or u.client_id = $1)`;

const COUNTS = `${REACHED}
  select count(*) as total,
         count(distinct user_id) as users,
         count(*) filter (where is_primary) as primaries,
         count(*) filter (where last_used > $2::timestamptz - interval '24 hours') as day,
         count(*) filter (where last_used > $2::timestamptz - interval '7 days') as week,
         count(*) filter (where connected_at > $2::timestamptz - interval '30 days') as month,
         coalesce((select jsonb_object_agg(auth_provider, n) from (
           select auth_provider, count(*) as n from reached group by auth_provider) as methods),
           '{}') as methods,
         coalesce((select jsonb_agg(jsonb_build_object('date', date, 'new_accounts', n)
                                    order by date desc) from (
           select to_char(connected_at at time zone 'UTC', 'YYYY-MM-DD') as date, count(*) as n
             from reached where connected_at > $2::timestamptz - interval '30 days'
            group by date) as days), '[]') as signups
    from reached`;

interface Counts {
  readonly total: number;
  readonly users: number;
  readonly primaries: number;
  readonly day: number;
  readonly week: number;
  readonly month: number;
  readonly methods: Record<string, number>;
  readonly signups: { date: string; new_accounts: number }[];
}

/** Counts of the mappings of one client's users, or of all clients' (contract part 1, stats). */
export async function countMappings(
  db: Db,
  client_id: number | undefined,
  at: Date,
): Promise<Statistics> {
  const [counts] = await run<Counts>(db, COUNTS, [client_id ?? null, at]);
  if (!counts) throw new Error('A count without a row');
  const { total, users } = counts;
  return {
    overview: {
      total_ext_accounts: total,
      unique_users: users,
      primary_auth_methods: counts.primaries,
      accounts_per_user_avg: users === 0 ? 0 : Math.round((total / users) * 100) / 100,
    },
    auth_methods: counts.methods,
    activity: {
      active_last_24h: counts.day,
      active_last_7d: counts.week,
      new_accounts_30d: counts.month,
    },
    recent_signups: counts.signups,
  };
}

/** Throws when the mappings cannot be read. */
export const touchMappings = (db: Db) => run(db, 'select 1 from ext_mappings limit 1', []);
