import type { TSchema } from 'typebox';
import type { LoggedEvent } from './event-log.ts';
import { shapeOf } from './shape.ts';

type Data = Record<string, unknown>;

/** An earlier shape of a type. Endpoints that are pinned to that version get it for a year. */
export interface EarlierShape {
  readonly version: number;
  readonly schema: TSchema;
  readonly example: unknown;
  /**
   * From the data of the next version, which the schema is then applied to. Fields may be missing:
   * `omitted` names those.
   */
  down(data: Data): Data;
}

/** Throws where they are not all versions before this one, the newest first. */
export function checkEarlier(
  name: string,
  version: number,
  earlier: readonly EarlierShape[],
): void {
  if (earlier.some((shape, i) => shape.version !== version - 1 - i))
    throw new Error(`${name} has version ${version}: the earlier ones have to be in order`);
  if (earlier.length >= version) throw new Error(`${name} has a version before its first`);
}

/**
 * An event in the shape of an earlier version, or of the oldest that is still known. An event that was logged in an
 * older version than the wanted one stays as it is.
 */
export function inVersion(
  event: LoggedEvent,
  wanted: number,
  earlier: readonly EarlierShape[],
): LoggedEvent {
  const steps = earlier.filter(
    ({ version }) => version < event.schema_version && version >= wanted,
  );
  const last = steps.at(-1);
  if (last === undefined) return event;
  const { previous, omitted, ...data } = JSON.parse(event.data) as Data;
  const lowered = steps.reduce<Data>((now, step) => shaped(step, step.down(now)), data);
  const whole = {
    ...lowered,
    ...(omitted !== undefined && { omitted }),
    ...(previous !== undefined && { previous: shaped(last, previous) }),
  };
  return { ...event, schema_version: last.version, data: JSON.stringify(whole) };
}

const shaped = ({ schema }: EarlierShape, data: unknown): Data => shapeOf(schema)(data) as Data;
