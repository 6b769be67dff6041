import { randomUUID } from 'node:crypto';
import { crockfordOf, uuidOfCrockford } from './crockford.ts';

/** What the ids of each kind of object begin with. */
const PREFIXES = [
  ...['trf', 'req', 'hld', 'wdr', 'mon', 'qte', 'cnv', 'inv', 'ipm', 'lnk', 'unm', 'rfd', 'crd'],
  ...['ctx', 'cdc', 'dsp', 'brt', 'rcp', 'bat', 'itm', 'fil', 'pol', 'apr', 'bkt', 'pay', 'dev'],
  ...['pky', 'exp', 'sbl', 'tin'],
] as const;

export type ObjectPrefix = (typeof PREFIXES)[number];

/** The form of such an id: the prefix, and a UUID in 26 of Crockford's digits, in lower case. */
export const objectIdPattern = (prefix: ObjectPrefix): string =>
  `^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`;

const PATTERNS = new Map(PREFIXES.map((prefix) => [prefix, new RegExp(objectIdPattern(prefix))]));

/** A new UUID, version 7: its first 48 bits are the milliseconds `ms` since 1970, the others are random. */
export function newObjectUuid(ms: number): string {
  const time = Math.floor(ms).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

/** The id of an object as callers see it. Tables hold the UUID. */
export const objectId = (prefix: ObjectPrefix, uuid: string): string =>
  `${prefix}_${crockfordOf(uuid).toLowerCase()}`;

/** The UUID of such an id; undefined where the text has another form or another prefix. */
export const uuidOfObjectId = (prefix: ObjectPrefix, id: string): string | undefined =>
  PATTERNS.get(prefix)?.test(id) ? uuidOfCrockford(id.slice(4).toUpperCase()) : undefined;
