import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { crowd, mostOften } from '#test/side-by-side.ts';
import { listUsers } from './store.ts';

const h = await harness();
const MANY = 200;

test('a page of users is read by a few statements, not row by row', async () => {
  await crowd(h, MANY);
  const page = { client_id: undefined, limit: MANY, before: undefined };
  expect(await listUsers(h.db, page)).toHaveLength(MANY);
  const asked = { begin: 'with "page"', values: [MANY, 'KYC'] };
  expect(await mostOften(h, asked)).toBeLessThan(MANY / 10);
});
