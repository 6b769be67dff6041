import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import { verifyLedger } from '#kernel/ledger/verify.ts';
import { newSecrets } from '#src/app/start/secrets-file.ts';
import { killWhereItHangs } from '#test/child.ts';
import { harness } from '#test/harness.ts';

/** kill -9 in the middle of an erasure, at several tables; another process ends it, once. */
const h = await harness();
const DAY = 24 * 3600;

test('an erasure that was killed at any table is ended by another process, once', async () => {
  const as = await h.user({ phone: '+12025554301', username: 'ada-who-goes' });
  await h.call('PATCH /profile', { as, body: { first_name: 'Augusta', last_name: 'Gone' } });
  const closed = await h.call('POST /profile/close', {
    as,
    body: { current_password: as.password },
  });
  expect(closed[0]).toBe(202);
  const orders = {
    databaseUrl: h.kernel.pool.options.connectionString ?? '',
    secrets: newSecrets(),
    aheadMs: h.clock.offsetMs + (14 * DAY + 1) * 1000,
    user_id: as.user_id,
  };
  const status = async () =>
    (
      await run<{ status: string; user_status: string; left: boolean }>(
        h.db,
        `select c.status, u.user_status, exists (select from profiles p where p.user_id = u.user_id) as left
           from account_closings c join users u using (user_id) where user_id = $1`,
        [as.user_id],
      )
    )[0];
  for (const after of ['users', 'mobile_devices', 'profiles', 'messages']) {
    await killWhereItHangs('erase-child.ts', { ...orders, after });
    expect(await status()).toMatchObject({ status: 'ERASING', user_status: 'ERASED' });
  }
  await h.advance(14 * DAY + 1);
  await h.drain();
  await h.advance(3600);
  await h.drain();
  expect(await status()).toEqual({ status: 'ERASED', user_status: 'ERASED', left: false });
  const told = await run(
    h.db,
    `select from events.log where type = 'user.erased' and user_id = $1
     union all select from events.outbox where type = 'user.erased' and user_id = $1`,
    [as.user_id],
  );
  expect(told).toHaveLength(1);
  expect((await verifyLedger(h.db)).broken).toEqual([]);
});
