import type { TSchema } from 'typebox';
import type { LoggedEvent } from './event-log.ts';
import { shapeOf } from './shape.ts';

type Data = Record<string, unknown>;

/** How a type was told before. Whoever has asked for that version gets it for a year. */
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

/** Throws where they are not all that came before a version, the newest first. */
export function checkEarlier(
  name: string,
  version: number,
  earlier: readonly EarlierShape[],
): void {
  if (earlier.some((shape, i) => shape.version !== version - 1 - i))
    throw new Error(`${name} is told in version ${version}: those before it have to be in order`);
  if (earlier.length >= version) throw new Error(`${name} has a version before its first`);
}

/**
 * An event as a version before its own told it, or the oldest that is still known. One that was written
 * down in an older version than asked for stays as it is.
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
  const told = steps.reduce<Data>((now, step) => shaped(step, step.down(now)), data);
  const whole = {
    ...told,
    ...(omitted !== undefined && { omitted }),
    ...(previous !== undefined && { previous: shaped(last, previous) }),
  };
  return { ...event, schema_version: last.version, data: JSON.stringify(whole) };
}

const shaped = ({ schema }: EarlierShape, data: unknown): Data => shapeOf(schema)(data) as Data;
