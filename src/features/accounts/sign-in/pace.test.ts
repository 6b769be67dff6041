import { afterEach, expect, test } from 'vitest';
import { type Body, harness, type Person } from '#test/harness.ts';

/** All paced work, and the event that ends its pause. */
let paced: (() => void)[] = [];
const h = await harness({
  async pace(work) {
    try {
      return await work();
    } finally {
      await new Promise<void>((resolve) => paced.push(resolve));
    }
  },
});
afterEach(() => {
  paced = [];
});

/** A log-in, and whether it has been answered. */
function logIn(usernameoremail: string, password: string, key = h.key) {
  const entry = { answered: false, answer: undefined as [number, Body] | undefined };
  const body = { usernameoremail, password };
  const done = h.call('POST /auth/login', { key, body }).then((answer) => {
    entry.answered = true;
    entry.answer = answer;
  });
  return { entry, done };
}

test('no log-in is answered before its pause, for any user and any outcome', async () => {
  const email = 'shared@example.test';
  const one: Person = await h.user();
  const several = [await h.user({ email }), await h.user({ email }), await h.user({ email })];
  const inactive = await h.user();
  const become = { user_status: 'INACTIVE' };
  await h.db.updateTable('users').set(become).where('user_id', '=', inactive.user_id).execute();
  const wanted: readonly [name: string, password: string, status: number][] = [
    ['nobody@example.test', 'wrong', 401],
    [one.email, 'wrong', 401],
    [email, 'wrong', 401],
    [one.email, one.password, 200],
    ...several.map(({ password }): [string, string, number] => [email, password, 200]),
    [inactive.email, inactive.password, 403],
  ];
  const entries = wanted.map(([name, password]) => logIn(name, password));
  await expect.poll(() => paced.length).toBe(wanted.length);
  // Each has done all of its work, and none has answered.
  expect(entries.filter(({ entry }) => entry.answered)).toEqual([]);
  for (const end of paced) end();
  await Promise.all(entries.map(({ done }) => done));
  expect(entries.map(({ entry }) => entry.answer?.[0])).toEqual(
    wanted.map(([, , status]) => status),
  );
});

test('a caller who has to wait is refused after the pause as well', async () => {
  const user = await h.user();
  for (let n = 0; n < 11; n += 1) {
    const { entry, done } = logIn(user.email, 'wrong');
    await expect.poll(() => paced.length).toBe(1);
    paced.pop()?.();
    await done;
    expect(entry.answer?.[0]).toBe(n < 10 ? 401 : 429);
  }
});
