/** Versions of the Graph API: released, and no longer usable from (developers.facebook.com/docs/graph-api/changelog/versions). */
export const GRAPH_VERSIONS: Readonly<Record<string, { readonly ends: string | null }>> = {
  'v21.0': { ends: '2027-01-21' },
  'v22.0': { ends: '2027-05-20' },
  'v23.0': { ends: '2027-10-08' },
  'v24.0': { ends: '2028-02-18' },
  'v25.0': { ends: '2028-07-29' },
  'v26.0': { ends: null },
};

const numberOf = (version: string): number => Number(version.slice(1));
const newest = Math.max(...Object.keys(GRAPH_VERSIONS).map(numberOf));

/**
 * Whether a call by that version is answered. Meta answers one by an ended version as the oldest that is usable, but
 * knows no version that is still to come.
 */
export const isAnswered = (version: string): boolean => numberOf(version) <= newest;
