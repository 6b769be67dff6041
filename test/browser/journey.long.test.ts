import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { linkIn, linkOf, mailTo } from '#test/mails.ts';
import { accountsOf, link, newAccount } from '../external-login.ts';
import { harness, type Person } from '../harness.ts';
import { expectSound, picture, type TestPage, testBrowser } from './browser.ts';
import { scan } from './scan.ts';

/** People's steps in a browser, from signing up to being verified. Out of mock mode. */
const h = await harness({ mock: false });
const browser = await testBrowser();

const ADMIN = 'ada@lovelace.example';
const USER = 'grace@lovelace.example';
const NEW_PASSWORD = 'A longer password 1';

test('a company signs up in the reference and finds its password in the sandbox', async () => {
  const visit = await browser.page();
  const { page } = visit;
  await page.goto(`${h.kernel.publicUrl()}/docs`);
  await page.getByRole('heading', { name: 'The main job' }).waitFor();
  const fields = { client_alias: 'Lovelace', client_type: 'BUSINESS', country_code: 'US' };
  const request = {
    url: `${h.app.apiUrl()}/clients/create_with_admin`,
    key: h.key,
    body: JSON.stringify({ email: ADMIN, phone: '+12025550100', ...fields }),
  };
  // As its request panel does, from within the page and its policy.
  const created = await page.evaluate(async ({ url, key, body }) => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    return (await fetch(url, { method: 'POST', headers, body })).status;
  }, request);
  expect(created).toBe(201);
  await picture(page, 'sign-up');
  expectSound(visit);

  await h.drain();
  const sandbox = await browser.page();
  await sandbox.page.goto(h.app.sandboxUrl());
  await sandbox.page.getByText(/^Password: /m).waitFor();
  await picture(sandbox.page, 'sandbox-message');
  expectSound(sandbox);
  const mail = await sandbox.page.getByText(/^Password: /m).textContent();
  const password = /^Password: (.+)$/m.exec(mail ?? '')?.[1] ?? '';
  const [status, answer] = await logIn(ADMIN, password);
  expect([status, answer.data.user.role]).toEqual([200, 'admin']);
});

test('a user confirms their address with the link in the welcome mail, once', async () => {
  await makeUser();
  const link = linkOf(await mailTo(h, USER, /^Welcome/));
  const visit = await open(link);
  await visit.page.getByRole('button', { name: 'Yes, confirm it' }).click();
  await visit.page
    .getByRole('status')
    .filter({ hasText: /confirmed/i })
    .waitFor();
  await visit.page.getByRole('link', { name: 'Log in' }).waitFor();
  await picture(visit.page, 'confirmed');
  expectSound(visit);

  const again = await open(link);
  await seen(again.page, 'Already confirmed');
  await picture(again.page, 'confirmed-before');
});

test('a user accepts the terms by a button behind a link', async () => {
  const user = await person();
  const [, { link }] = await h.call('GET /users/{user_id}/tos-acceptance-link', {
    as: user,
    params: { user_id: user.user_id },
  });
  const visit = await open(link);
  await picture(visit.page, 'terms');
  await visit.page.getByRole('button', { name: 'I accept' }).click();
  await visit.page.getByText('Terms of Service accepted successfully').waitFor();
  await picture(visit.page, 'terms-accepted');
  expectSound(visit);
  const [, { data }] = await h.call('GET /users/{user_id}', {
    as: user,
    params: { user_id: user.user_id },
  });
  expect(Date.parse(data.tos_accepted_at)).toBeGreaterThan(0);
});

test('a forgotten password is reset on the page behind the mailed link', async () => {
  const { email, password } = await person();
  const asking = await open(`${h.kernel.publicUrl()}/login`);
  await asking.page.getByRole('link', { name: 'Forgotten your password?' }).click();
  await asking.page.getByLabel('Your e-mail address').fill(email);
  await asking.page.getByRole('button', { name: 'Send me a link' }).click();
  await asking.page.locator('form.done').waitFor();
  expectSound(asking);
  const link = linkOf(await mailTo(h, email, /^Reset/));
  const visit = await open(link);
  await picture(visit.page, 'reset');
  await visit.page.getByLabel('New password').fill(NEW_PASSWORD);
  await visit.page.getByRole('button', { name: 'Set password' }).click();
  await visit.page.locator('form.done').waitFor();
  await visit.page.getByRole('link', { name: 'Log in' }).waitFor();
  await picture(visit.page, 'reset-done');
  expectSound(visit);
  expect((await logIn(email, password))[0]).toBe(401);
  expect((await logIn(email, NEW_PASSWORD))[0]).toBe(200);

  const again = await open(link);
  await seen(again.page, 'This link does not work any more');
  await picture(again.page, 'reset-used');
});

test('a user refuses an admin’s change by a button, and allows it the next time', async () => {
  const user = await person();
  const admin = await h.user({ role: 'admin', client_id: user.client_id });
  for (const [button, shownText, linked] of [
    ['Refuse', 'Nothing was changed.', 0],
    ['Confirm', 'The change was made.', 1],
  ] as const) {
    const account = newAccount({ provider: 'google' });
    await link(h, admin, account, { user_id: user.user_id });
    const visit = await open(linkIn(await mailTo(h, user.email, /^Confirm/)).link);
    await picture(visit.page, `proposal-${button}`);
    await visit.page.getByRole('button', { name: button }).click();
    await visit.page.getByText(shownText).waitFor();
    await visit.page.locator('form.done').waitFor();
    expectSound(visit);
    expect(await accountsOf(h, user)).toHaveLength(linked);
  }
});

test('a reset shows the additions, and a box removes them', async () => {
  const user = await person();
  await link(h, user, newAccount({ provider: 'google' }));
  await h.call('POST /password/request_reset', { body: { email: user.email } });
  const visit = await open(linkIn(await mailTo(h, user.email, /^Reset/)).link);
  await visit.page.getByText('log-in with google').waitFor();
  await visit.page.getByLabel('New password').fill(NEW_PASSWORD);
  await visit.page.getByLabel(/Not all of this is mine/).check();
  await picture(visit.page, 'reset-undo');
  await visit.page.getByRole('button', { name: 'Set password' }).click();
  await visit.page.getByText('What was added was removed.').waitFor();
  expectSound(visit);
  const [, { data }] = await logIn(user.email, NEW_PASSWORD);
  expect(await accountsOf(h, data)).toEqual([]);
});

test('a user scans the QR code and logs in with the authenticator', async () => {
  const user = await person();
  const [, { data }] = await h.call('POST /2fa/setup', { as: user, body: {} });
  const { page } = await browser.page();
  await page.setContent(`<img alt="QR code" src="${data.qr_code}">`);
  const scanned = new URL(await scan(page.getByAltText('QR code')));
  expect(scanned.protocol).toBe('otpauth:');
  expect(scanned.searchParams.get('secret')).toBe(data.secret);
  await picture(page, 'qr-code');

  const totp = new TOTP({ secret: Secret.fromBase32(data.secret) });
  const code = () => totp.generate({ timestamp: h.clock.now().getTime() });
  const [enabled] = await h.call('POST /2fa/enable', { as: user, body: { token: code() } });
  expect(enabled).toBe(200);
  await h.advance(60);
  const [, half] = await logIn(user.email, user.password);
  expect(half.requires_2fa).toBe(true);
  const [status, whole] = await h.call('POST /auth/complete-login', {
    body: { user_id: user.user_id, two_fa_token: code() },
  });
  expect([status, whole.data.user.user_id]).toEqual([200, user.user_id]);
});

test('the hosted verification is passed by clicks, and the service gets the result', async () => {
  const user = await person('PENDING');
  const [, { sdkLink }] = await h.call('POST /ekyc/idv/websdk/{userId}', {
    as: user,
    params: { userId: user.user_id },
    body: {},
  });
  const visit = await open(sdkLink);
  await picture(visit.page, 'verification');
  await visit.page.getByLabel(/Full name/).fill('Grace Hopper');
  await visit.page.getByRole('button', { name: 'Approve' }).click();
  await seen(visit.page, 'Verification approved');
  await picture(visit.page, 'verification-approved');
  expectSound(visit);
  await h.drain();
  const [, { data }] = await h.call('GET /ekyc/status/{user_id}', {
    as: user,
    params: { user_id: user.user_id },
    query: { client_id: user.client_id },
  });
  expect(data.ekyc_status).toBe('APPROVED');
});

const logIn = (usernameoremail: string, password: string) =>
  h.call('POST /auth/login', { body: { usernameoremail, password } });

async function person(ekyc_status: 'APPROVED' | 'PENDING' = 'APPROVED'): Promise<Person> {
  return h.user({ ekyc_status });
}

/** A new user of a new company, made by its admin. */
async function makeUser(): Promise<void> {
  const { client_id } = await h.client();
  const admin = await h.user({ role: 'admin', client_id });
  const fields = { username: 'grace', phone: '+12025550101', country_code: 'US' };
  const [status] = await h.call('POST /admins/users', {
    as: admin,
    body: { client_id, email: USER, ...fields },
  });
  expect(status).toBe(201);
}

async function open(link: string): Promise<TestPage> {
  const visit = await browser.page();
  await visit.page.goto(link);
  return visit;
}

const seen = (page: Page, heading: string) =>
  page.getByRole('heading', { name: heading, exact: true }).waitFor();
