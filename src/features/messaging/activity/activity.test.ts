import { expect, test } from 'vitest';
import { transact } from '#kernel/transact.ts';
import { harness } from '#test/harness.ts';
import { logActivity } from './activity.ts';

const h = await harness();

const rows = (action: string) =>
  h.db.selectFrom('activity_log').selectAll().where('action', '=', action).execute();

test('an act is logged with its actor, address and subject', async () => {
  const actor = await h.user({ role: 'admin' });
  const request = { id: 'r-1', ip: '192.0.2.1', userAgent: 'x', headers: {}, raw: Buffer.alloc(0) };
  await logActivity(h.db, {
    action: 'TEST_DONE',
    actor,
    subject_user_id: actor.user_id,
    details: { n: 1 },
    request,
  });
  expect(await rows('TEST_DONE')).toMatchObject([
    {
      client_id: actor.client_id,
      actor_user_id: actor.user_id,
      actor_role: 'admin',
      subject_user_id: actor.user_id,
      details: { n: 1 },
      ip: '192.0.2.1',
      request_id: 'r-1',
    },
  ]);
});

test('a rolled-back act is not in the log', async () => {
  const undone = transact(h.db, async (tx) => {
    await logActivity(tx, { action: 'TEST_UNDONE', actor: null });
    throw new Error('undo');
  });
  await expect(undone).rejects.toThrow('undo');
  expect(await rows('TEST_UNDONE')).toEqual([]);
});
