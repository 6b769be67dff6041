import { type Db, run } from '#kernel/db/db.ts';
import { transact } from '#kernel/db/transact.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';

/** Somebody has logged in with it, so that it does not lapse any more; it is still to be changed. */
export async function useTemporary(tx: Db, user_id: number, now: Date): Promise<void> {
  const sql = 'update temporary_passwords set used_at = $2 where user_id = $1 and used_at is null';
  await run(tx, sql, [user_id, now]);
}

/** The user has a password of their own now. */
export async function forgetTemporary(tx: Db, user_id: number): Promise<void> {
  await run(tx, 'delete from temporary_passwords where user_id = $1', [user_id]);
}

const BATCH = 500;

/** Log-ins refuse a lapsed password to the second; here it is forgotten for whatever else asks for one. */
export const lapseSchedule = ({ db, clock }: Pick<Kernel, 'db' | 'clock'>): Schedule =>
  defineSchedule({
    name: 'sign-in.lapse-passwords',
    cron: '23 * * * *',
    async run() {
      while ((await lapse(db, clock.now())) === BATCH);
    },
  });

/** How many have lapsed. Users first, as log-ins lock them. */
const lapse = (db: Db, now: Date): Promise<number> =>
  transact(db, async (tx) => {
    const users = await run<{ user_id: number }>(tx, LAPSING, [now]);
    const user_ids = users.map(({ user_id }) => user_id);
    await run(tx, LAPSE, [user_ids, now]);
    return users.length;
  });

const LAPSING = `
  select u.user_id from users u join temporary_passwords t using (user_id)
   where t.used_at is null and t.lapses_at <= $1
   order by u.user_id limit ${BATCH} for no key update of u`;

const LAPSE = `
  with lapsed as (
    delete from temporary_passwords
     where user_id = any($1::integer[]) and used_at is null and lapses_at <= $2 returning user_id)
  update users set password_hash = null, updated = $2
   where user_id in (select user_id from lapsed)`;
