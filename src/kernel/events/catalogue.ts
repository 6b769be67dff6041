import type { AnyEventType } from './event-type.ts';
import type { EarlierShape } from './versions.ts';

/** All event types by name. */
export interface Catalogue {
  readonly names: readonly string[];
  /** The types of a name; several where several rails emit the same event, as payments do. */
  of(name: string): readonly AnyEventType[];
  /** Its current version. */
  versionOf(name: string): number;
  /** Its earlier shapes, the newest first. */
  earlier(name: string): readonly EarlierShape[];
  /** The names that a filter matches: `payment.succeeded`, `payment.*` or `*`. An empty list is the caller's mistake. */
  match(filter: string): readonly string[];
}

/** Throws where two types of a name differ in their version: readers could not tell them apart. */
export function catalogueOf(types: readonly AnyEventType[]): Catalogue {
  const byName = Map.groupBy(types, ({ name }) => name);
  for (const [name, same] of byName) {
    if (new Set(same.map(({ version }) => version)).size > 1)
      throw new Error(`There are two versions of ${name}`);
    if (new Set(same.map(({ earlier }) => earlier)).size > 1)
      throw new Error(`There are two ways back from ${name}`);
  }
  const names = [...byName.keys()].sort();
  // By name, and by the prefix before a `*`: callers list any number of filters.
  const byFilter = Map.groupBy(
    names.flatMap((name) => filtersOf(name).map((filter) => ({ filter, name }))),
    ({ filter }) => filter,
  );
  const meant = new Map(
    [...byFilter].map(([filter, rows]) => [filter, rows.map((row) => row.name)]),
  );
  return {
    names,
    of: (name) => byName.get(name) ?? [],
    versionOf: (name) => byName.get(name)?.[0]?.version ?? 1,
    earlier: (name) => byName.get(name)?.[0]?.earlier ?? [],
    match: (filter) => (filter === '*' ? names : (meant.get(filter) ?? [])),
  };
}

/** `payment.refund.failed`, and the filters that match it: `payment.refund.*`, `payment.*`. */
function filtersOf(name: string): string[] {
  const parts = name.split('.');
  const above = parts.slice(1).map((_, i) => `${parts.slice(0, i + 1).join('.')}.*`);
  return [name, ...above];
}
