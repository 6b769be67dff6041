import type { Kysely } from 'kysely';
import type { DB } from '#kernel/db/schema.generated.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { transact } from '#kernel/transact.ts';
import { tellExpiring } from './store.ts';

/** Told at once; the rest in the next transaction. */
const AT_ONCE = 500;
const NOTICE_MS = 7 * 24 * 3_600_000;

/** Tells of keys that end within a week, each once, in time to make another one. */
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
