import type { ProviderStatuses } from '#src/app/providers.ts';

/** For people at the start: one line each, in columns. */
export function providerTable(statuses: ProviderStatuses): string[] {
  const rows = Object.entries(statuses).map(([name, { state, address, lacking }]) => [
    name,
    lacking.length > 0 ? lacking.join(', ') : address,
    state === 'not configured' ? 'NOT CONFIGURED' : state,
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  '));
}
