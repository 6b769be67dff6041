import { SOON_MS, useAsk } from './data.ts';

/** The newest of them: the page of adjustments has all. */
const PROPOSED = { query: { status: 'PROPOSED', limit: 20 } } as const;

/** Corrections that wait for a second person, without expired ones; nothing until it is known. */
export function useProposed() {
  const { data, error, refetch } = useAsk('GET /adjustments', PROPOSED, { every: SOON_MS });
  const rows = data?.data.adjustments.filter(({ status }) => status === 'PROPOSED');
  return { rows, error, refetch };
}
