import type { TSchema } from 'typebox';
import type { AnyEndpoint, Auth, Caller } from '#kernel/http/declare/route.ts';
import { clientHomeOf } from '../../access/client-home.ts';
import { type DayEdge, edgeOfDay } from '../../calendar.ts';
import type { Db } from '../../db/db.ts';

/** A part of a request, as its schema has it. */
type Fields = Record<string, unknown>;
interface Parts {
  readonly query: unknown;
  readonly body: unknown;
}

/** Turns the days of a request into moments. */
export type ResolveDays = (db: Db, caller: Caller<Auth>, parts: Parts) => Promise<void>;

/**
 * A filter from one day to another covers both days, in the time zone that the request names, else in that of the
 * caller's client, else in UTC. Undefined for an endpoint that takes no days.
 */
export function dayResolverOf({ query, body }: AnyEndpoint): ResolveDays | undefined {
  const places = { query: edgesOf(query), body: edgesOf(body) };
  if (places.query.length + places.body.length === 0) return undefined;
  return async (db, caller, parts) => {
    for (const part of ['query', 'body'] as const) {
      const fields = (parts[part] ?? {}) as Fields;
      const days = places[part].filter(([name]) => isDay(fields[name]));
      if (days.length === 0) continue;
      const zone = (fields['time_zone'] as string | undefined) ?? (await zoneOf(db, caller));
      for (const [name, edge] of days) fields[name] = edgeOfDay(fields[name] as string, zone, edge);
    }
  };
}

/** The names of the fields that take days, with the edge that each means. */
function edgesOf(schema: TSchema | undefined): [name: string, edge: DayEdge][] {
  const { properties = {} } = (schema ?? {}) as { properties?: Record<string, { day?: DayEdge }> };
  return Object.entries(properties).flatMap(([name, { day }]) => (day ? [[name, day]] : []));
}

const isDay = (value: unknown): boolean => typeof value === 'string' && value.length === 10;

async function zoneOf(db: Db, caller: Caller<Auth>): Promise<string> {
  const client_id =
    caller && 'client_id' in caller ? caller.client_id : (caller?.key?.client_id ?? undefined);
  if (typeof client_id !== 'number') return 'UTC';
  return (await clientHomeOf(db, client_id)).time_zone;
}
