import type { Feature } from '#kernel/feature.ts';

export { type Activity, listAudit, logActivities, logActivity } from './store.ts';

/** The log of what people did, which every other feature writes to. */
export const createActivity = (): Feature => ({ name: 'activity' });
