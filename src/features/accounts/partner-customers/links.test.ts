import { expect, test } from 'vitest';
import { harness, type Person } from '#test/harness.ts';
import { findOnboarding } from './store.ts';

const h = await harness({ mock: false });
const onboard = (user: Person) =>
  h.call('POST /pspb/customers', { as: user, body: { user_id: user.user_id } });

test('the partner’s webhook takes a new status over', async () => {
  const user = await h.user();
  await onboard(user);
  await h.sandbox('POST', `/partner/customers/${user.email}/status`, { status: 'verified' });
  await expect
    .poll(async () => {
      await h.drain();
      return (await findOnboarding(h.db, user.user_id))?.snapshot?.status;
    })
    .toBe('verified');
});

test('a person gets the links to the terms and the checks', async () => {
  const user = await h.user();
  const links = () => h.call('GET /pspb/links', { as: user, query: { user_id: user.user_id } });
  expect(await links()).toMatchObject([404, { error: 'User not onboarded' }]);
  await onboard(user);
  expect(await links()).toEqual([
    200,
    { tos_link: expect.stringMatching(/^http/), kyc_link: expect.stringMatching(/^http/) },
  ]);
});
