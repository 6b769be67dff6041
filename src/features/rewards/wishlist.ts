import { type Db, run } from '#kernel/db/db.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';

const BASE = 1010;
const HOUR_MS = 3600_000;

/** Contract, wishlist count: the base, those who are really there, and the hourly steps so far. */
export async function wishlistCount(db: Db): Promise<number> {
  const [row] = await run<{ count: number }>(
    db,
    `select $1 + (select count(*) from userx where userx_status <> 'DELETED')
              + (select coalesce(sum(increment), 0) from wishlist_growth) as count`,
    [BASE],
  );
  return row?.count ?? BASE;
}

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

/** Hours in which nothing of ours was running are made up for. */
const growUntil = (db: Db, hour: Date) =>
  run(
    db,
    `insert into wishlist_growth (hour, increment)
     select h, 3 + floor(random() * 8)::integer
       from generate_series(
              coalesce((select max(hour) from wishlist_growth) + interval '1 hour', $1),
              $1::timestamptz, interval '1 hour') h
     on conflict do nothing`,
    [hour],
  );
