import type { Page } from 'playwright-core';
import { beforeEach, expect, test } from 'vitest';
import type { TeamRole } from '#kernel/http/declare/team-mark.ts';
import { harness, type Person } from '../harness.ts';
import { acceptInvitation, invitationToken, joined } from '../team.ts';
import { violationsOn } from './axe.ts';
import { picture, type TestPage, testBrowser } from './browser.ts';
import { builtConsole, consoleOf, enterConsole } from './console.ts';

/** The console of a client's people: a menu by role, their team, and their requests. */
const h = await harness({
  mock: false,
  config: {
    CONSOLE: 'on',
    OPERATOR_2FA: 'optional',
    REQUEST_LOGS: 'on',
    CONSOLE_DIR: await builtConsole(),
  },
});
const owner = await h.user({ role: 'admin', username: 'Olga' });
const inRole = new Map<TeamRole, Person>();
for (const role of ['developer', 'finance', 'support', 'viewer'] as const)
  inRole.set(role, await joined(h, owner, role));
const one = (role: TeamRole): Person => inRole.get(role) ?? owner;

const browser = await testBrowser();
let visit: TestPage;
let page: Page;
beforeEach(async () => {
  visit = await browser.page();
  page = visit.page;
});

const at = (path: string, person: Person) => enterConsole(h, page, person, path);
const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
const sound = () => expect(visit.problems).toEqual([]);
const screens = () => page.locator('nav#screens li').allInnerTexts();
const people = () => page.getByRole('table', { name: 'People of the team, newest first' });

/** Whether it has to be scrolled sideways. */
const IS_WIDE = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';

const MONEY = ['Home', 'Payments'];
const DEVELOPERS = ['Webhooks', 'Events', 'API keys', 'Requests'];
const MENUS: Readonly<Partial<Record<TeamRole, readonly string[]>>> = {
  owner: [...MONEY, 'Payouts', 'Approvals', 'Invoices', ...DEVELOPERS, 'Team', 'Audit'],
  developer: [...MONEY, 'Invoices', ...DEVELOPERS],
  finance: [...MONEY, 'Payouts', 'Approvals', 'Invoices', 'Audit'],
  support: [...MONEY, 'Payouts', 'Invoices', ...DEVELOPERS],
  viewer: [...MONEY, 'Payouts', 'Invoices'],
};

test('each role has a menu of its own, and begins at home', async () => {
  for (const [role, menu] of Object.entries(MENUS)) {
    visit = await browser.page();
    page = visit.page;
    await at('', one(role as TeamRole));
    await page.getByRole('heading', { name: 'Home', exact: true }).waitFor();
    expect([role, await screens()]).toEqual([role, menu]);
    expect(await page.locator('header .brand').textContent()).toContain('Client');
    sound();
  }
});

test('an address of another role says so, and asks the service for nothing', async () => {
  const asked: string[] = [];
  page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
  for (const path of ['/team', '/audit', '/adjustments', '/clients']) {
    await at(path, one('viewer'));
    await page.getByRole('heading', { name: 'Not yours' }).waitFor();
  }
  expect(asked.filter((path) => /\/api\/(team|admins|adjustments|clients)/.test(path))).toEqual([]);
  expect(await violationsOn(page)).toEqual([]);
  sound();
});

test('an owner invites, changes a role and removes; the invited person joins by the link', async () => {
  await at('/team', owner);
  await expect.poll(() => people().locator('tbody tr').count()).toBe(5);
  await press('Invite');
  await page.getByLabel('E-mail address').fill('new@example.test');
  await page.getByLabel('Role', { exact: true }).selectOption('support');
  expect(await violationsOn(page)).toEqual([]);
  await page.locator('dialog').getByRole('button', { name: 'Invite' }).click();
  await page
    .getByRole('table', { name: /Invitations/ })
    .getByText('new@example.test')
    .waitFor();
  const token = await invitationToken(h, 'new@example.test');
  await acceptInvitation(h, token, { username: 'Nadia' });
  await page.reload();
  const row = people().locator('tr', { hasText: 'Nadia' });
  await row.getByRole('button', { name: 'Change role' }).click();
  await page.getByLabel('Role', { exact: true }).selectOption('finance');
  await page.locator('dialog').getByRole('button', { name: 'Change role' }).click();
  await row.getByText('finance', { exact: true }).waitFor();
  await row.getByRole('button', { name: 'Remove' }).click();
  await page.locator('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect.poll(() => people().locator('tbody tr').count()).toBe(5);
  // Nobody is offered to change themselves.
  const own = people().locator('tr', { hasText: owner.email });
  expect(await own.getByRole('button').count()).toBe(0);
  sound();
});

test('requests are found by operation, status and code', async () => {
  await h.call('GET /wallets/fiat/{user_id}', { as: owner, params: { user_id: 2_000_000_000 } });
  await at('/requests', one('developer'));
  const rows = page.getByRole('table', { name: 'Requests to the API, newest first' });
  await rows.getByText('GET /wallets/fiat/{user_id}').first().waitFor();
  await page.getByLabel('Status').fill('404');
  await press('Show');
  await expect.poll(() => rows.locator('tbody tr').count()).toBe(1);
  expect(new URL(page.url()).search).toBe('?status=404');
  await press('Show all');
  await expect.poll(() => rows.locator('tbody tr').count()).toBeGreaterThan(1);
  sound();
});

test('team and requests read well on a phone and a desk, in both schemes', async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.emulateMedia({ colorScheme });
      for (const screen of ['team', 'requests']) {
        await at(`/${screen}`, owner);
        await page.locator('table').first().waitFor();
        expect([screen, width, await violationsOn(page)]).toEqual([screen, width, []]);
        const wide = await page.evaluate<boolean>(IS_WIDE);
        expect([screen, width, wide]).toEqual([screen, width, false]);
        await picture(page, `console-${screen}-${width}-${colorScheme}`);
      }
    }
  sound();
});

test('names with markup and long names are text, and break nothing', async () => {
  const hostile = `<img src=x onerror=alert(1)> ${'W'.repeat(70)}`;
  const client = await h.user({ role: 'admin', username: hostile });
  await page.setViewportSize({ width: 390, height: 800 });
  await at('/team', client);
  await people().getByText('<img src=x').first().waitFor();
  expect(await page.locator('main img').count()).toBe(0);
  const wide = await page.evaluate<boolean>(IS_WIDE);
  expect(wide).toBe(false);
  expect(page.url()).toBe(`${consoleOf(h)}/team`);
  sound();
});
