import type { Cardano, CardanoListener } from '#chains/cardano/port.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { recordStep } from './audit.ts';
import { replaceHash } from './store.ts';

/** Records with the order that the chain has rolled a transaction back, and which one replaces it. */
export const recordRollback: CardanoListener = async (tx, { was, now }) => {
  const order = await replaceHash(tx, was, now);
  if (order === undefined) return;
  const details = { was, ...(now !== undefined && { now }) };
  await recordStep(tx, now === undefined ? 'TAKEN_BACK' : 'MADE_ANEW', order, { details });
};

/** Monitors transactions that the chain may still roll back, and deletes old rows of the journal. */
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
