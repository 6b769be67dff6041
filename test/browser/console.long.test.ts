import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import { defineEffect } from '#kernel/effects/effect.ts';
import { done } from '#kernel/effects/outcome.ts';
import { defineJob } from '#kernel/jobs/job.ts';
import { transact } from '#kernel/transact.ts';
import { ask, protectedOperator } from '../console.ts';
import { type Body, harness } from '../harness.ts';
import { codeOf } from '../two-factor.ts';
import { violationsOn } from './axe.ts';
import { picture, type TestPage, testBrowser } from './browser.ts';
import { builtConsole, consoleOf, enterConsole } from './console.ts';

/** The work of a person on call at the console, in a real browser under the policy that it is served with. */
let isBroken = true;
const broken = async () => {
  if (isBroken) throw new Error('the account that it is for has no bank any more');
  return undefined;
};
const letters = defineJob<object>({ name: 'testing.letters', attempts: 1, run: broken });
const effect = defineEffect<string, string>({
  kind: 'testing',
  repeatable: true,
  open: async (_, id) => id,
  call: async () => done('done'),
  settle: broken,
  refuse: async () => true,
});
const people = { CONSOLE: 'on', OPERATOR_2FA: 'optional', SECOND_PERSON_DAYS: '0' } as const;
const h = await harness({
  mock: false,
  config: { ...people, CONSOLE_DIR: await builtConsole() },
  features: () => [{ name: 'testing', jobs: [letters], effects: [effect] }],
});
const HOUR_S = 3600;
await transact(h.db, async (tx) => {
  await h.kernel.jobs.enqueue(tx, letters, {});
  await h.kernel.effects.begin(tx, effect, 'payout-4711', { left: {} });
});
for (let n = 0; n < 14; n += 1) {
  await h.drain();
  await h.advance(HOUR_S);
}
const now = h.clock.now().toISOString();
const side = { rail: 'another-bank', side: 'OURS' };
await h.db
  .insertInto('reconciliation_sides')
  .values({ ...side, since: now, told_until: now, again_at: now, again_some_at: now })
  .execute();
await h.db
  .insertInto('reconciliation_breaks')
  .values({
    ...side,
    reference: 'TOPUP-AB12CD34',
    kind: 'settlement',
    asset: 'USD',
    line: '1',
    cause: 'AMOUNT_DIFFERS',
    our_units: 9700n,
    their_units: 9600n,
    history: '[]',
    found_at: now,
    changed_at: now,
  })
  .execute();
const operator = await h.operator();

const payer = await h.user({ email: 'grace@lovelace.example' });
const card = { card_number: '4111111111111111', expiry_date: '1239', currency_code: 'USD' };
const [, topUp] = await h.call('POST /card-checkout/card', {
  as: payer,
  body: { ...card, amount: 100 },
  headers: { 'x-request-id': 'asked-on-the-phone' },
});
const reference: string = topUp.data.reference_id;
await h.kernel.events.settle();
await h.call('POST /admins/users/{user_id}/move-address', {
  as: operator,
  params: { user_id: payer.user_id },
  body: { email: `moved-${payer.email}`, reason: 'Asked for', current_password: operator.password },
});

const browser = await testBrowser();
const base = consoleOf(h);

let visit: TestPage;
let page: Page;
/** The changes that the page has requested. */
let changes: { id: string; key: string | undefined; body: Body }[];
beforeEach(async () => {
  visit = await browser.page();
  page = visit.page;
  changes = [];
  page.on('request', (request) => {
    const id = `${request.method()} ${new URL(request.url()).pathname}`;
    const key = request.headers()['idempotency-key'];
    if (!id.startsWith('GET ')) changes.push({ id, key, body: request.postDataJSON() });
  });
});

/** Signed in, at that screen; answers the cookie. */
const at = (path = '') => enterConsole(h, page, operator, path);
/** Longer than a log-in counts as a proof, and shorter than it lives without a request. */
const forgetProof = () => h.advance(600);
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
const said = (text: string | RegExp) => page.getByRole('status').getByText(text).waitFor();
const dialog = () => page.getByRole('dialog');
const confirm = (name: string) => dialog().getByRole('button', { name, exact: true }).click();
/** Except refusals and aborted requests that the test intends. */
const sound = () =>
  expect(visit.problems.filter((one) => !/status of 40[0134]|ERR_ABORTED/.test(one))).toEqual([]);

test('the log-in takes password, then code, and keeps the address', async () => {
  const person = await protectedOperator(h);
  // A code counts once.
  await h.advance(60);
  await page.goto(`${base}/audit`);
  await page.getByLabel('User name or e-mail address').fill(person.email);
  await page.getByLabel('Password').fill('wrong');
  await press('Sign in');
  await page.getByRole('alert').getByText('Invalid credentials').waitFor();
  await picture(page, 'console-sign-in');
  await page.getByLabel('Password').fill(person.password);
  await press('Sign in');
  await page.getByLabel('Code').fill(codeOf(h, person.secret));
  await press('Sign in');
  await page.getByRole('heading', { name: 'Audit' }).waitFor();
  await press('Sign out');
  await page.getByLabel('User name or e-mail address').waitFor();
  sound();
});

test('the screen shows differences also while proposals cannot be read', async () => {
  const refusal = { status: 403, json: { error: 'They are not to be had now' } };
  await page.route('**/api/adjustments?*', (route) => route.fulfill(refusal));
  await at();
  await page.getByText('They are not to be had now').waitFor();
  await page.getByRole('heading', { name: 'Books that differ' }).waitFor();
  sound();
});

test('stalled work and dead letters are retried after a dialog that names them', async () => {
  await at();
  await page.getByRole('row', { name: /testing.*payout-4711/ }).waitFor();
  await page.getByRole('row', { name: /testing\.letters/ }).waitFor();
  await picture(page, 'console-work-busy');
  isBroken = false;
  await press('Try again');
  await dialog().getByText('payout-4711').waitFor();
  await picture(page, 'console-try-again');
  await page.keyboard.press('Escape');
  expect(await dialog().count()).toBe(0);
  expect(changes).toEqual([]);
  await press('Try again');
  await confirm('Try again');
  await said('testing payout-4711 is looked at again now');
  await press('Redrive');
  await confirm('Redrive');
  await said('testing.letters is tried again');
  await h.drain();
  const [, { data }] = await h.call('GET /desk/work', { as: operator });
  expect([data.stalled, data.dead_letters]).toEqual([[], []]);
  await page.getByRole('heading', { name: 'Stalled' }).waitFor({ state: 'detached' });
  sound();
});

test('the key / opens the search, and a reference its history', async () => {
  await at('/clients');
  await page.getByRole('heading', { name: 'Clients' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type(reference);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'What has happened' }).waitFor();
  await page.getByText('payment.succeeded').waitFor();
  await page.getByText('97.00 USD').first().waitFor();
  await picture(page, 'console-timeline-full');
  const all = await page.locator('.moment').count();
  await page.getByRole('checkbox', { name: /posting/ }).check();
  await expect.poll(() => page.locator('.moment').count()).toBeLessThan(all);
  expect(await page.locator('.moment:not(.posting)').count()).toBe(0);
  // The address holds the view: a colleague gets it as a link.
  await page.reload();
  await page.getByRole('checkbox', { name: /posting/, checked: true }).waitFor();
  expect(await page.locator('.moment:not(.posting)').count()).toBe(0);
  sound();
});

test('an unknown name is reported as unknown', async () => {
  await at('/timeline?q=12345678');
  await page.getByText('Nothing is known of').waitFor();
  await page.getByText('12345678').first().waitFor();
});

test('a person is stopped for a reason, after a fresh proof, and reinstated', async () => {
  await at(`/timeline?q=${encodeURIComponent(payer.email)}`);
  await page.getByRole('heading', { name: 'Person' }).waitFor();
  await forgetProof();
  await press('Stop');
  await dialog().getByLabel('Why').fill('Reported as stolen');
  await confirm('Stop');
  await page.getByRole('heading', { name: 'Is it still you?' }).waitFor();
  await picture(page, 'console-proof');
  const proof = page.getByRole('dialog', { name: 'Is it still you?' });
  await proof.getByLabel('Password').fill('wrong');
  await proof.getByRole('button', { name: 'Go on' }).click();
  await proof.getByText('Current password is incorrect').waitFor();
  await proof.getByLabel('Password').fill(operator.password);
  await proof.getByRole('button', { name: 'Go on' }).click();
  await said(`${payer.username} is stopped`);
  await page.getByText('Reported as stolen').waitFor();
  // Requested twice, and one change: the service recognises it by its key.
  const sent = changes.filter(({ id }) => id.endsWith('/stop'));
  expect(sent.map(({ body }) => body)).toEqual(Array(2).fill({ reason: 'Reported as stolen' }));
  expect(sent[0]?.key).toMatch(/^[\da-f-]{36}$/);
  expect(sent[1]?.key).toBe(sent[0]?.key);
  await press('Let in');
  await dialog().getByLabel('Why').fill('It was found');
  await confirm('Let in');
  await said(`${payer.username} is let in again`);
  await page.getByRole('button', { name: 'Stop', exact: true }).first().waitFor();
  sound();
});

test('a wallet is frozen for a reason, and released', async () => {
  await at(`/timeline?q=${encodeURIComponent(payer.email)}`);
  const wallet = page.getByRole('row', { name: /USD/ });
  await wallet.getByText('ACTIVE').waitFor();
  await wallet.getByRole('button', { name: 'Freeze' }).click();
  await dialog().getByLabel('Why').fill('Reported as stolen');
  await confirm('Freeze');
  await said(/^USD wallet \d+ is frozen/);
  await wallet.getByText('FROZEN').waitFor();
  await picture(page, 'console-frozen');
  await wallet.getByRole('button', { name: 'Unfreeze' }).click();
  await dialog().getByLabel('Why').fill('It was found');
  await confirm('Unfreeze');
  await said(/can be spent from again/);
  await wallet.getByText('ACTIVE').waitFor();
  const orders = changes.filter(({ id }) => /freeze$/.test(id));
  expect(orders.map(({ body }) => body.reason)).toEqual(['Reported as stolen', 'It was found']);
  sound();
});

test('cancelling the proof changes nothing', async () => {
  await at('/clients');
  await forgetProof();
  await press('Stop');
  await dialog().getByLabel('Why').fill('By mistake');
  await confirm('Stop');
  await page.getByRole('heading', { name: 'Is it still you?' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog().getByText('Prove once more that it is you').waitFor();
  await page.keyboard.press('Escape');
  expect(await page.getByText('SUSPENDED').count()).toBe(0);
});

test('clients are shown page by page, and one is stopped', async () => {
  for (let n = 0; n < 51; n += 1) await h.client({ client_alias: `Shop ${n}` });
  await at('/clients');
  await page.getByText('Shop 50', { exact: true }).waitFor();
  await press('Show more');
  await page.getByText('Shop 0', { exact: true }).waitFor();
  const row = page.getByRole('row', { name: /Shop 50/ });
  await row.getByRole('button', { name: 'Stop' }).click();
  await dialog().getByLabel('Why').fill('Asked for by its owner');
  await confirm('Stop');
  await said('Shop 50 is stopped');
  await row.getByText('SUSPENDED').waitFor();
  sound();
});

test('one admin proposes, and only another one can approve', async () => {
  const { wallet_id } = await h.db
    .selectFrom('fiat_wallets')
    .select('wallet_id')
    .where('user_id', '=', payer.user_id)
    .where('currency', '=', 'USD')
    .executeTakeFirstOrThrow();
  await at('/adjustments');
  await press('Propose');
  await dialog().getByLabel('What').selectOption('adjustment');
  await dialog().getByLabel('Wallet number').fill(String(wallet_id));
  await dialog().getByLabel('Amount').fill('10.00');
  await dialog().getByLabel('Why').fill('Charged twice by the bank');
  await picture(page, 'console-propose');
  await confirm('Propose');
  await said(/somebody else has to approve/);
  await page.getByText('You have proposed it').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  const given = { kind: 'adjustment', wallet_id, direction: 'credit', currency: 'USD' };
  expect(changes.at(-1)?.body).toEqual({
    ...given,
    amount: '10.00',
    reason: 'Charged twice by the bank',
  });
  const [, { data: others }] = await h.call('POST /adjustments', {
    as: await h.operator(),
    body: { ...given, amount: '97.00', reason: 'Booked by mistake' },
  });
  await page.getByRole('link', { name: 'All adjustments' }).click();
  await page.getByText('Booked by mistake').waitFor();
  await page.getByRole('link', { name: 'Work' }).click();
  const waiting = page.getByRole('table', { name: 'Corrections that one has proposed' });
  await waiting.getByText('Booked by mistake').waitFor();
  const count = await page.getByLabel('Waits for a person').locator('tbody tr').count();
  await page.locator('nav .count', { hasText: new RegExp(`^${count}$`) }).waitFor();
  await picture(page, 'console-proposed');
  await waiting.getByRole('link', { name: 'Decide' }).first().click();
  await page.waitForURL(`**/adjustments/${others.adjustment_id}`);
  await picture(page, 'console-adjustment-open');
  await press('Approve');
  await confirm('Approve');
  await said('97.00 USD are booked');
  await page.getByText('BOOKED', { exact: true }).waitFor();
  sound();
});

test('a difference is explained, and stands', async () => {
  await at('/reconciliation?state=OPEN');
  await page.getByRole('row', { name: /TOPUP-AB12CD34/ }).waitFor();
  await press('Explain');
  await dialog().getByLabel('Why it is as it is').fill('Their fee, agreed on Monday');
  await confirm('Explain');
  await said('TOPUP-AB12CD34 is explained');
  await page.getByLabel('State').selectOption('EXPLAINED');
  await page.getByText('Their fee, agreed on Monday').waitFor();
  sound();
});

test('an ended session shows the log-in, which returns to the same screen', async () => {
  const cookie = await at('/reconciliation');
  await page.getByRole('heading', { name: 'Rails' }).waitFor();
  await ask(h, 'DELETE /console/session', cookie);
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByLabel('User name or e-mail address').waitFor();
  await at('/audit');
  await page.getByText('RECONCILIATION_EXPLAINED').waitFor();
});

test('on a phone a button opens the list of screens, which closes after a choice', async () => {
  await page.setViewportSize({ width: 360, height: 740 });
  await at();
  await page.getByRole('heading', { name: 'Queues' }).waitFor();
  expect(await page.getByRole('navigation').isVisible()).toBe(false);
  await press('Menu');
  await picture(page, 'console-menu');
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('heading', { name: 'Audit' }).waitFor();
  await page.getByRole('navigation').waitFor({ state: 'hidden' });
  sound();
});

test('an idle page stops polling, so that its log-in ends, and resumes on input', async () => {
  await page.clock.install();
  await at();
  await page.getByRole('heading', { name: 'Queues' }).waitFor();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(new URL(request.url()).pathname));
  await page.clock.runFor(30_000);
  await expect.poll(() => sent).toContain('/api/desk/work');
  await page.clock.fastForward(10 * 60_000);
  sent.length = 0;
  await page.clock.runFor(60_000);
  // Requests in flight when it went idle may still have arrived.
  expect(sent.length).toBeLessThanOrEqual(1);
  sent.length = 0;
  await page.mouse.move(5, 5);
  await expect.poll(() => sent).toContain('/api/desk/work');
  sound();
});

test.each([
  ['work', '', 'Queues'],
  ['timeline', `/timeline?q=${reference}`, 'What has happened'],
  ['person', `/timeline?q=${payer.email}`, 'What has happened'],
  ['clients', '/clients', 'Clients'],
  ['orders', '/orders', 'Orders'],
  ['adjustments', '/adjustments', 'Adjustments'],
  ['reconciliation', '/reconciliation', 'Differences'],
  ['audit', '/audit', 'Audit'],
])(
  'the screen %s reads well in light and dark, wide and on a phone',
  async (name, path, heading) => {
    await at(path);
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [360, 1000, 1280]) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 800 });
        await page.getByRole('heading', { name: heading, exact: true }).waitFor();
        await expect.poll(() => page.getByText('One moment…').count()).toBe(0);
        await picture(page, `console-${name}-${colorScheme}-${width}`);
        expect(await violationsOn(page), `${colorScheme} ${width}`).toEqual([]);
        const beyond =
          'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate(beyond), 'nothing sticks out').toBe(0);
      }
    sound();
  },
);
