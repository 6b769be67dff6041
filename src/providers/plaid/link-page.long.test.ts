import { describe, expect, test } from 'vitest';
import { plaidSimulator } from '#sandbox/providers/plaid/simulator.ts';
import { testBrowser } from '#test/browser/browser.ts';
import { testSandbox } from '#test/sandbox.ts';
import { bankLink } from './adapter.ts';

const credentials = { PLAID_CLIENT_ID: 'test-client', PLAID_SECRET: 'test-secret' };
const sandbox = await testSandbox(plaidSimulator(credentials));
const plaid = bankLink({
  url: () => `${sandbox.url}/plaid`,
  clientId: credentials.PLAID_CLIENT_ID,
  secret: credentials.PLAID_SECRET,
  clock: sandbox.clock,
});
const open = async () => {
  const link = await plaid.createLinkToken({ userId: '1', webhookUrl: 'http://127.0.0.1:9/' });
  if (link.kind !== 'done') throw new Error('No link token');
  return `${sandbox.url}/banklink/link/${link.value.linkToken}`;
};
const choose = (url: string, fields: Record<string, string>) =>
  fetch(url, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

describe('the link page', () => {
  test('lets a person choose a bank and an account in a browser, for a public token', async () => {
    const browser = await testBrowser();
    const { page, problems } = await browser.page();
    await page.goto(await open());
    await page.getByLabel('First Gingham Credit Union').check();
    await page.getByLabel('Plaid Saving').check();
    await page.getByRole('button', { name: 'Link this account' }).click();
    const token = await page.getByLabel('Public token').inputValue();
    const metadata = JSON.parse(await page.getByLabel('Metadata').inputValue());
    expect(metadata).toMatchObject({
      institution: { institution_id: 'ins_109509', name: 'First Gingham Credit Union' },
      accounts: [{ subtype: 'savings', mask: '1111' }],
    });
    expect(await plaid.exchange(token)).toMatchObject({ kind: 'done' });
    expect(problems).toEqual([]);
  });

  test('brings the person back to the app that requested it', async () => {
    const made = await fetch(`${sandbox.url}/plaid/link/token/create`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_id: 'test-client',
        secret: 'test-secret',
        client_name: 'App',
        language: 'en',
        country_codes: ['US'],
        user: { client_user_id: '1' },
        redirect_uri: 'https://app.example/done?step=2',
      }),
    });
    const { link_token } = (await made.json()) as { link_token: string };
    const url = `${sandbox.url}/banklink/link/${link_token}`;
    const back = await choose(url, { institution: 'ins_109508', account: 'checking' });
    expect(back.status).toBe(303);
    expect(back.headers.get('location')).toMatch(
      /^https:\/\/app\.example\/done\?step=2&public_token=public-sandbox-/,
    );
  });

  test('links nothing without a choice, and is gone after four hours', async () => {
    const url = await open();
    const shown = await fetch(url);
    expect(shown.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect((await choose(url, { institution: 'ins_1', account: 'checking' })).status).toBe(400);
    expect((await choose(url, { institution: 'ins_109508', account: 'all' })).status).toBe(400);
    expect((await fetch(`${url}x`)).status).toBe(404);
    await sandbox.control('POST /clock', { advance_s: 4 * 3600 + 1 });
    expect((await fetch(url)).status).toBe(404);
    expect((await choose(url, { institution: 'ins_109508', account: 'checking' })).status).toBe(
      404,
    );
  });
});
