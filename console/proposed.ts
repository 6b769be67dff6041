import { SOON_MS, useAsk } from './data.ts';

/** The newest of them: all are on the page of adjustments. */
const PROPOSED = { query: { status: 'PROPOSED', limit: 20 } } as const;

/** Corrections that wait for a second person, without those whose week is over; nothing as long as it is not known. */
export function useProposed() {
  const { data, error, refetch } = useAsk('GET /adjustments', PROPOSED, { every: SOON_MS });
  const rows = data?.data.adjustments.filter(({ status }) => status === 'PROPOSED');
  return { rows, error, refetch };
}
