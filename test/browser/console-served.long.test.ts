import { expect, test } from 'vitest';
import { harness } from '../harness.ts';
import { codeOf } from '../two-factor.ts';
import { picture, testBrowser } from './browser.ts';
import { builtConsole, consoleOf } from './console.ts';

/** The console as the service itself serves it, from the first log-in of an admin without a second factor on. */
const config = { CONSOLE: 'on', OPERATOR_2FA: 'required', CONSOLE_DIR: await builtConsole() };
const h = await harness({ mock: false, config });
const operator = await h.operator();
const payer = await h.user();
const browser = await testBrowser();
const { page, problems } = await browser.page();
const base = consoleOf(h);

const press = (name: string) => page.getByRole('button', { name, exact: true }).first().click();
async function signIn(): Promise<void> {
  await page.getByLabel('User name or e-mail address').fill(operator.email);
  await page.getByLabel('Password').fill(operator.password);
  await press('Sign in');
}

test('an admin sets up a second factor, signs in with it, stops a user, and proposes', async () => {
  await page.goto(base);
  await signIn();
  await page.getByRole('heading', { name: 'Backup codes' }).waitFor();
  await picture(page, 'console-set-up');
  const secret = (await page.locator('.ident code').first().textContent()) ?? '';
  await page.getByLabel('Code').fill(codeOf(h, secret));
  await press('Turn it on');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  // A code counts once, and a log-in is a proof for a while.
  await h.advance(60);
  await signIn();
  await page.getByLabel('Code').fill(codeOf(h, secret));
  await press('Sign in');
  await page.getByRole('heading', { name: 'Queues' }).waitFor();
  await h.advance(600);

  await page.goto(`${base}/timeline?q=${payer.email}`);
  await page.getByRole('heading', { name: 'Person' }).waitFor();
  await press('Stop');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Why').fill('Reported as stolen');
  await dialog.getByRole('button', { name: 'Stop', exact: true }).click();
  const proof = page.getByRole('dialog', { name: 'Is it still you?' });
  await proof.getByLabel('Password').fill(operator.password);
  await proof.getByRole('button', { name: 'Go on' }).click();
  await page.getByRole('status').getByText('is stopped').waitFor();
  await page.getByText('Reported as stolen').first().waitFor();

  const [wallet] = await h.db
    .selectFrom('fiat_wallets')
    .select(['wallet_id', 'currency'])
    .where('user_id', '=', payer.user_id)
    .execute();
  await page.goto(`${base}/adjustments`);
  await press('Propose');
  await page.getByLabel('What').selectOption('adjustment');
  await page.getByLabel('Wallet number').fill(String(wallet?.wallet_id));
  await page.getByLabel('Amount').fill('10.00');
  await page.getByLabel('Currency').selectOption(wallet?.currency ?? '');
  await page.getByLabel('Why').fill('Charged twice');
  await dialog.getByRole('button', { name: 'Propose', exact: true }).click();
  await page.getByText('You have proposed it').waitFor();
  expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);

  for (const screen of ['clients', 'reconciliation', 'audit']) {
    await page.goto(`${base}/${screen}`);
    await page.getByRole('table').first().or(page.locator('.empty')).first().waitFor();
    await expect.poll(() => page.getByText('One moment…').count()).toBe(0);
    expect(await page.getByRole('alert').count()).toBe(0);
  }
  // As narrow as a page is read when it is enlarged four times.
  await page.setViewportSize({ width: 320, height: 760 });
  await page.getByText('CONSOLE_SIGNED_IN').first().waitFor();
  await picture(page, 'console-audit-narrow');
  expect(await page.evaluate(WORDS_OVER_TWO_LINES)).toEqual([]);
  await page.setViewportSize({ width: 1000, height: 760 });
  await press('Sign out');
  await page.getByLabel('User name or e-mail address').waitFor();
  const refused = /status of 40[13]|ERR_ABORTED/;
  expect(problems.filter((one) => !refused.test(one))).toEqual([]);
});

/** The words in names of actions that begin on one line and end on another. */
const WORDS_OVER_TWO_LINES = `
  [...document.querySelectorAll('td strong')].flatMap((name) =>
    [...name.childNodes].filter((word) => {
      const range = document.createRange();
      range.selectNodeContents(word);
      return range.getClientRects().length > 1;
    }).map((word) => word.textContent))`;
