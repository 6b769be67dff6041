import { type Db, run } from '#kernel/db/db.ts';
import type { Row } from '#kernel/db/row.ts';

export type RouteRow = Row<'bridge_routes'>;
export type BridgeMode = Row<'bridge_modes'>;

/** How long transfers took, over the last of them; nothing before the first. */
export interface MeasuredTimes {
  readonly p50: number | null;
  readonly p95: number | null;
  /** How many were measured. */
  readonly of: number;
}

export type OfferedMode = BridgeMode & MeasuredTimes;
export type OfferedRoute = RouteRow & {
  readonly modes: readonly OfferedMode[];
  /** Of it some are stalled. */
  readonly has_stalled: boolean;
};

const MEASURED = 100;

/** All of them or one, each with its modes and the times of the last hundred. */
export async function listBridgeRoutes(db: Db, route_id?: string): Promise<OfferedRoute[]> {
  const routes = await run<RouteRow & { has_stalled: boolean }>(
    db,
    `select r.*, exists (select from bridge_transfers t
       where t.route_id = r.route_id and t.status = 'STALLED') as has_stalled
     from bridge_routes r where $1::text is null or r.route_id = $1 order by r.route_id`,
    [route_id ?? null],
  );
  const modes = await run<OfferedMode>(
    db,
    `select m.*, t.p50, t.p95, t.of from bridge_modes m cross join lateral (
       select percentile_cont(0.5) within group (order by took) as p50,
         percentile_cont(0.95) within group (order by took) as p95, count(*)::integer as of
       from (select extract(epoch from completed_at - created_at)::float8 as took from bridge_transfers
         where route_id = m.route_id and mode = m.mode and completed_at is not null
         order by completed_at desc limit ${MEASURED}) latest) t
     where $1::text is null or m.route_id = $1 order by m.route_id, m.mode`,
    [route_id ?? null],
  );
  return routes.map((route) => ({
    ...route,
    modes: modes.filter((mode) => mode.route_id === route.route_id),
  }));
}

/** Undefined where its version is another one by now. */
export async function changeRoute(
  tx: Db,
  { route_id, version }: Pick<RouteRow, 'route_id' | 'version'>,
  { stop_reason, daily_cap }: Pick<RouteRow, 'stop_reason' | 'daily_cap'>,
): Promise<RouteRow | undefined> {
  const [row] = await run<RouteRow>(
    tx,
    `update bridge_routes set is_stopped = $3::text is not null, stop_reason = $3, daily_cap = $4::numeric,
       version = version + 1, updated_at = service_now()
     where route_id = $1 and version = $2 returning *`,
    [route_id, version, stop_reason, daily_cap.toString()],
  );
  return row;
}

/** Keeps it open until the commit: a stop waits for what has begun, and what begins later sees it. */
export async function lockOpenRoute(tx: Db, route_id: string): Promise<RouteRow | undefined> {
  const text = 'select * from bridge_routes where route_id = $1 and not is_stopped for share';
  return (await run<RouteRow>(tx, text, [route_id]))[0];
}

interface RouteDay {
  readonly route_id: string;
  /** `YYYY-MM-DD`, in UTC. */
  readonly day: string;
  readonly units: bigint;
}

/** Counts against the route's day, all of it or nothing: false where the cap does not allow it. */
export async function spendRouteDay(
  tx: Db,
  { route_id, day, units }: RouteDay,
  cap: bigint,
): Promise<boolean> {
  if (units > cap) return false;
  const rows = await run(
    tx,
    `insert into bridge_route_days as d (route_id, day, units) values ($1, $2, $3::numeric)
     on conflict (route_id, day) do update set units = d.units + excluded.units
       where d.units + excluded.units <= $4::numeric returning 1`,
    [route_id, day, units.toString(), cap.toString()],
  );
  return rows.length === 1;
}

/** Nothing was moved: the day's part is free again. */
export async function freeRouteDay(tx: Db, bridge_transfer_id: string): Promise<void> {
  await run(
    tx,
    `update bridge_route_days d set units = d.units - t.amount from bridge_transfers t
     where t.bridge_transfer_id = $1 and d.route_id = t.route_id and d.day = t.limit_day`,
    [bridge_transfer_id],
  );
}
