import type { Db } from '#kernel/db/db.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { countWishlist, growUntil } from './store.ts';

const BASE = 1010;
const HOUR_MS = 3600_000;

/** Contract, wishlist count. */
export const wishlistCount = (db: Db): Promise<number> => countWishlist(db, BASE);

/** One random step of 3 to 10 for each hour, kept, so that every process counts the same. */
export const wishlistSchedule = ({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Schedule =>
  defineSchedule({
    name: 'rewards.wishlist-growth',
    cron: '0 * * * *',
    async run() {
      const hour = new Date(Math.floor(clock.now().getTime() / HOUR_MS) * HOUR_MS);
      await growUntil(db, hour);
    },
  });
