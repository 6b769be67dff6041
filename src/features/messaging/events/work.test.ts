import { expect, test } from 'vitest';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import { defineEffect } from '#kernel/effects/effect.ts';
import { done } from '#kernel/effects/outcome.ts';
import { defineJob } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import { emittedEvents } from '#test/emitted-events.ts';
import { harness } from '#test/harness.ts';

const broken = () => Promise.reject(new Error('no such account'));
const letters = defineJob<object>({ name: 'testing.letters', attempts: 2, run: broken });
const effect = defineEffect<string, string>({
  kind: 'testing',
  repeatable: true,
  open: async (_, id) => id,
  call: async () => done('done'),
  settle: broken,
  refuse: async () => true,
});
const h = await harness({
  features: () => [{ name: 'testing', jobs: [letters], effects: [effect] }],
});
const HOUR_S = 3600;

test('the operator hears of each job that is given up, once, and of what stalls', async () => {
  await transact(h.db, async (tx) => {
    await h.kernel.jobs.enqueue(tx, letters, {});
    await h.kernel.effects.begin(tx, effect, 'a', { left: {} });
  });
  for (let n = 0; n < 14; n += 1) {
    await h.drain();
    await h.advance(HOUR_S);
  }
  const [letter] = await h.kernel.jobs.deadLetters();
  const told = (await emittedEvents(h, 'work')).map(({ type, client_id, data }) => [
    ...[type, client_id],
    ...[data.what, data.id],
  ]);
  expect(told.sort()).toEqual([
    ['work.given_up', OPERATOR_CLIENT_ID, 'testing.letters', letter?.id],
    ['work.stalled', OPERATOR_CLIENT_ID, 'effect.testing', 'a'],
  ]);
});
