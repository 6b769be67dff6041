import type { Cardano, CardanoListener } from '#chains/cardano/port.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { noteEvent } from './audit.ts';
import { moveHash } from './store.ts';

/** What the chain takes back stands with its order, and so does the transaction that does it anew. */
export const noteTakenBack: CardanoListener = async (tx, { was, now }) => {
  const order = await moveHash(tx, was, now);
  if (order === undefined) return;
  const details = { was, ...(now !== undefined && { now }) };
  await noteEvent(tx, now === undefined ? 'TAKEN_BACK' : 'MADE_ANEW', order, { details });
};

/** Looking after what the chain may still take back, and forgetting what is of no use any more. */
export const cardanoSchedules = (cardano: Cardano): Schedule[] => [
  defineSchedule({
    name: 'cardano-monitor',
    cron: '* * * * *',
    run: () => cardano.monitorOpen(),
  }),
  defineSchedule({
    name: 'cardano-retention',
    cron: '41 * * * *',
    run: () => cardano.forgetOld(),
  }),
];
