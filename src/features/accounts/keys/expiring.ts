import type { Kysely } from 'kysely';
import type { DB } from '#kernel/db/schema.generated.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { transact } from '#kernel/transact.ts';
import { tellExpiring } from './store.ts';

/** Emitted at once; the next transaction emits the rest. */
const AT_ONCE = 500;
const NOTICE_MS = 7 * 24 * 3_600_000;

/** Emits an event for each key that ends within a week, once, in time to create another. */
export const expiringSchedule = ({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Schedule =>
  defineSchedule({
    name: 'keys.expiring',
    cron: '17 * * * *',
    async run({ signal }) {
      const now = clock.now();
      while (!signal.aborted && (await tellSome(db, now)) === AT_ONCE);
    },
  });

const tellSome = (db: Kysely<DB>, now: Date): Promise<number> =>
  transact(db, (tx) =>
    tellExpiring(tx, { now, until: new Date(now.getTime() + NOTICE_MS), limit: AT_ONCE }),
  );
