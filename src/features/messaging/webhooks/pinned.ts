import { fail } from '#kernel/error.ts';
import type { Catalogue } from '#kernel/events/catalogue.ts';
import type { LoggedEvent } from '#kernel/events/event-log.ts';
import { inVersion } from '#kernel/events/versions.ts';

/** Versions of types by their names; the first version for a type without one. */
export type Pins = Readonly<Record<string, number>>;

const FIRST = 1;

/** The pins of a new endpoint: the present version of every type, also after later ones. */
export const pinsNow = (catalogue: Catalogue): Pins =>
  Object.fromEntries(
    catalogue.names
      .map((name) => [name, catalogue.versionOf(name)] as const)
      .filter(([, version]) => version > FIRST),
  );

/** Throws VALIDATION_ERROR for an unknown version. */
export function checkPins(catalogue: Catalogue, pins: Pins): void {
  for (const [name, version] of Object.entries(pins)) {
    const offered = versionsOf(catalogue, name);
    if (offered.length === 0)
      throw fail('VALIDATION_ERROR', `There is no type of event ${name}: see GET /event-types`);
    if (!offered.includes(version))
      throw fail('VALIDATION_ERROR', `schema_versions.${name} must be ${offered.join(' or ')}`);
  }
}

const versionsOf = (catalogue: Catalogue, name: string): number[] =>
  catalogue.of(name).length === 0
    ? []
    : [catalogue.versionOf(name), ...catalogue.earlier(name).map(({ version }) => version)];

/** By event: several endpoints get the same older version. */
const older = new WeakMap<LoggedEvent, Map<number, LoggedEvent>>();

/** An event in the version that an endpoint is pinned to. */
export function pinned(event: LoggedEvent, pins: Pins, catalogue: Catalogue): LoggedEvent {
  const wanted = pins[event.type] ?? FIRST;
  if (wanted >= event.schema_version) return event;
  const versions = older.get(event) ?? new Map<number, LoggedEvent>();
  older.set(event, versions);
  const made = versions.get(wanted) ?? inVersion(event, wanted, catalogue.earlier(event.type));
  versions.set(wanted, made);
  return made;
}
