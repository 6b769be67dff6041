import { expect, test } from 'vitest';
import { talking } from '#test/agent.ts';
import { harness } from '#test/harness.ts';
import { forgetConfirmations } from './confirmation-store.ts';
import { forgetConversations } from './store.ts';

const h = await harness();
const say = talking(h);
const HOUR_MS = 3600 * 1000;
const later = (ms: number) => new Date(h.clock.now().getTime() + ms);

test('expired rows are deleted in batches, and confirmed ones stay', async () => {
  for (let user = 0; user < 3; user += 1) {
    const as = await h.user();
    await say(as, `Bridge 2 USDC from amoy to sepolia for 0x${'ab'.repeat(20)}`);
  }
  const confirmed = await h.kernel.pool.query(
    `update agent_confirmations set status = 'CONFIRMED', asked = '{}'
     where confirmation_id = (select confirmation_id from agent_confirmations limit 1)`,
  );
  expect(confirmed.rowCount).toBe(1);

  expect(await forgetConversations(h.db, h.clock.now(), 2)).toBe(0);
  expect(await forgetConversations(h.db, later(HOUR_MS + 1000), 2)).toBe(2);
  expect(await forgetConversations(h.db, later(HOUR_MS + 1000), 2)).toBe(1);
  expect(await forgetConfirmations(h.db, later(-HOUR_MS), 10)).toBe(0);
  expect(await forgetConfirmations(h.db, later(1000), 1)).toBe(1);
  expect(await forgetConfirmations(h.db, later(1000), 10)).toBe(1);
  const left = await h.db.selectFrom('agent_confirmations').select('status').execute();
  expect(left).toEqual([{ status: 'CONFIRMED' }]);
});

test('a conversation keeps the latest messages, within its limit', async () => {
  const as = await h.user();
  await say(as, 'Create a wallet');
  for (let turn = 0; turn < 8; turn += 1)
    await say(as, `Create a wallet ${'and tell me about it '.repeat(150)}${turn}`);
  const row = await h.db
    .selectFrom('agent_conversations')
    .select('sealed_state')
    .where('user_id', '=', as.user_id)
    .executeTakeFirst();
  expect(JSON.stringify(row).length).toBeLessThan(14_000);
});
