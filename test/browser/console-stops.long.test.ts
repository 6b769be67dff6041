import { expect, test } from 'vitest';
import { harness, type Person } from '../harness.ts';
import { picture, testBrowser } from './browser.ts';
import { builtConsole, enterConsole } from './console.ts';

/** The console's view of pending orders, and of a stop's remains. */
const h = await harness({
  mock: false,
  config: {
    CONSOLE: 'on',
    OPERATOR_2FA: 'optional',
    PROFILE_OTP: 'off',
    CONSOLE_DIR: await builtConsole(),
  },
});
const operator = await h.operator();
const browser = await testBrowser();
const { page, problems } = await browser.page();

const at = (path: string) => enterConsole(h, page, operator, path);
const dialog = (name: string) => page.getByRole('dialog', { name });
const said = (text: string) => page.getByRole('status').getByText(text).waitFor();
const move = (as: Person, { user_id, email }: Person) =>
  h.call('POST /admins/users/{user_id}/move-address', {
    as,
    params: { user_id },
    body: { email: `moved-${email}`, reason: 'Asked for', current_password: as.password },
  });
async function stop(name: string): Promise<void> {
  await page.getByRole('button', { name: 'Stop', exact: true }).first().click();
  await dialog(`Stop ${name}?`).getByLabel('Why').fill('A thief has the session');
  await dialog(`Stop ${name}?`).getByRole('button', { name: 'Stop', exact: true }).click();
}

test('a cancelled order goes, and the others stay', async () => {
  const [first, second] = [await h.user(), await h.user()];
  for (const user of [first, second]) await move(operator, user);
  await at('/orders');
  await page.getByRole('row', { name: new RegExp(`moved-${first.email}`) }).waitFor();
  await picture(page, 'console-orders');
  const row = page.getByRole('row', { name: new RegExp(`moved-${second.email}`) });
  await row.getByRole('button', { name: 'Call off' }).click();
  const confirmation = dialog(`Call off the email of user ${second.user_id}?`);
  await picture(page, 'console-call-off');
  await confirmation.getByRole('button', { name: 'Call off' }).click();
  await said(`The email of user ${second.user_id} is called off`);
  await row.waitFor({ state: 'detached' });
  const [, { data }] = await h.call('GET /desk/orders', { as: operator });
  const users = data.orders.map(({ user_id }: { user_id: number }) => user_id);
  expect(users).toEqual([first.user_id]);
  expect(problems).toEqual([]);
});

test('a stop lists the person’s pending changes, and ends the keys on request', async () => {
  const [thief, user] = [await h.operator(), await h.user()];
  await move(thief, user);
  const body = { url: 'https://thief.example/hook', types: ['*'] };
  await h.call('POST /webhook-endpoints', { as: thief, body });
  const key = await h.apiKey({ client_id: thief.client_id, user_id: thief.user_id });
  await at(`/timeline?q=${encodeURIComponent(thief.email)}`);
  await stop(thief.username);
  const left = dialog(`What ${thief.username} had set going`);
  await left.getByText(new RegExp(`email of .* ${user.user_id}`)).waitFor();
  await left.getByText('https://thief.example/hook').waitFor();
  await picture(page, 'console-left');
  expect((await h.call('GET /sessions', { key, as: operator }))[0]).toBe(200);
  await left.getByRole('button', { name: 'End the keys' }).click();
  await left.getByText('Keys that have ended: 1.').waitFor();
  await left.getByRole('button', { name: 'Close' }).click();
  await left.waitFor({ state: 'detached' });
  expect((await h.call('GET /sessions', { key, as: operator }))[0]).toBe(401);
  expect(problems).toEqual([]);
});

test('a stop of a client lists its admins’ proposals, and nothing where none exist', async () => {
  const user = await h.user();
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  await h.call('PUT /users/update_profile/{user_id}', {
    as: admin,
    params: { user_id: user.user_id },
    body: { email: `new-${user.email}`, current_password: admin.password },
  });
  const [, clients] = await h.call('GET /clients', { as: operator, query: { limit: 1 } });
  const { client_alias, client_id } = clients[0];
  expect(client_id).toBe(user.client_id);
  await at('/clients');
  await stop(client_alias);
  const left = dialog(`What ${client_alias} had set going`);
  await left.getByText(new RegExp(`email of .* ${user.user_id}`)).waitFor();
  await left.getByRole('button', { name: 'Close' }).click();
  await left.waitFor({ state: 'detached' });
  const other = await h.client({ client_alias: 'Idle shop' });
  expect(other.client_id).toBeGreaterThan(client_id);
  await at('/clients');
  await stop('Idle shop');
  await said('Idle shop is stopped');
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(problems).toEqual([]);
});
