import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const h = await harness();

const HOUR_S = 3600;
async function count(): Promise<number> {
  const [status, { success, count }] = await h.call('GET /xwishlist/count');
  expect([status, success]).toEqual([200, true]);
  return count;
}
const steps = async () =>
  (await h.db.selectFrom('wishlist_growth').select('increment').orderBy('hour').execute()).map(
    ({ increment }) => increment,
  );
/** To the middle of an hour, so that whole hours later no test is near its end. */
async function beginMidHour() {
  await h.drain();
  const into = h.clock.seconds() % HOUR_S;
  await h.advance(HOUR_S + HOUR_S / 2 - into);
  await h.drain();
}
const pass = async (hours: number) => {
  await h.advance(hours * HOUR_S);
  await h.drain();
};

test('the count begins at 1010 and grows with the real members', async () => {
  expect(await count()).toBe(1010);
  const body = { phone: '+6281500000001' };
  const [, as] = await h.call('POST /xusers/login', { body });
  await h.call('POST /xusers/login', { body });
  expect(await count()).toBe(1011);
  await h.call('DELETE /xaccount/delete', { as });
  expect(await count()).toBe(1010);
});

test('every hour adds one random step of 3 to 10, which stays', async () => {
  await beginMidHour();
  expect(await steps()).toHaveLength(1);
  for (let hour = 2; hour <= 6; hour += 1) await pass(1);
  const grown = await steps();
  expect(grown).toHaveLength(6);
  for (const step of grown) expect([3, 4, 5, 6, 7, 8, 9, 10]).toContain(step);
  const expected = 1010 + grown.reduce((sum, step) => sum + step, 0);
  expect([await count(), await count()]).toEqual([expected, expected]);
});

test('hours in which the service was down are added, once', async () => {
  const before = await steps();
  await pass(48);
  const after = await steps();
  expect(after).toHaveLength(before.length + 48);
  expect(after.slice(0, before.length)).toEqual(before);
  await h.drain();
  expect(await steps()).toEqual(after);
  expect(new Set(after).size).toBeGreaterThan(1);
});

test('it needs an API key, and nothing else', async () => {
  expect(await h.call('GET /xwishlist/count', { as: 'nobody' })).toMatchObject([
    401,
    { success: false, code: 'API_KEY_MISSING' },
  ]);
});
