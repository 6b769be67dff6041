import type { Adjustment } from './adjustment-shapes.ts';
import { SOON_MS, useAsk } from './data.ts';

/** The newest of them: all are on the page of adjustments. */
const PROPOSED = { query: { status: 'PROPOSED', limit: 20 } } as const;

/** Corrections that wait for a second person. */
export const useProposed = () => useAsk('GET /adjustments', PROPOSED, { every: SOON_MS });

/** One whose week is over is shown as that before it is written down. */
export const isOpen = ({ status }: Adjustment): boolean => status === 'PROPOSED';
