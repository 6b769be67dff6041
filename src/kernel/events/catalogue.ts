import type { AnyEventType } from './event-type.ts';
import type { EarlierShape } from './versions.ts';

/** All that may happen, by name. */
export interface Catalogue {
  readonly names: readonly string[];
  /** Those of a name; several where things that go other ways tell of the same, as payments do. */
  of(name: string): readonly AnyEventType[];
  /** In which version it is told now. */
  versionOf(name: string): number;
  /** How it was told before, the newest first. */
  earlier(name: string): readonly EarlierShape[];
  /**
   * The names that a filter means: `payment.succeeded`, `payment.*` or `*`. Nothing where it means none,
   * which is a mistake.
   */
  match(filter: string): readonly string[];
}

/** Throws where two of a name are not of one version: their readers could not tell them apart. */
export function catalogueOf(types: readonly AnyEventType[]): Catalogue {
  const byName = Map.groupBy(types, ({ name }) => name);
  for (const [name, same] of byName) {
    if (new Set(same.map(({ version }) => version)).size > 1)
      throw new Error(`There are two versions of ${name}`);
    if (new Set(same.map(({ earlier }) => earlier)).size > 1)
      throw new Error(`There are two ways back from ${name}`);
  }
  const names = [...byName.keys()].sort();
  // By name, and by what stands before a `*`: callers list any number of filters.
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

/** `payment.refund.failed`, and what means it: `payment.refund.*`, `payment.*`. */
function filtersOf(name: string): string[] {
  const parts = name.split('.');
  const above = parts.slice(1).map((_, i) => `${parts.slice(0, i + 1).join('.')}.*`);
  return [name, ...above];
}
