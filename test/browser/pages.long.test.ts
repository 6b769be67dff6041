import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { linkIn, mailTo } from '#test/mails.ts';
import { harness } from '../harness.ts';
import { expectSound, picture, type TestPage, testBrowser } from './browser.ts';

const h = await harness({
  mock: false,
  config: { TOS_URL: 'https://shop.example/terms', TOS_VERSION: '2026-11' },
});
const browser = await testBrowser();
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const base = h.kernel.publicUrl();
// A long one, which has to break somewhere on a small screen.
const user = await h.user({ email: `${'someone'.repeat(8)}@example.com` });
await h.call('POST /password/request_reset', { body: { email: user.email } });
const [, terms] = await h.call('GET /users/{user_id}/tos-acceptance-link', {
  as: user,
  params: { user_id: user.user_id },
});

await h.call('POST /users/resend-confirmation', { as: 'nobody', body: { email: user.email } });
const company = `grace-${'long'.repeat(8)}@example.test`;
await h.call('POST /clients/create_with_admin', {
  body: {
    email: company,
    client_alias: 'Grace & Sons <Ltd>',
    client_type: 'BUSINESS',
    country_code: 'US',
    phone: '+12025550100',
  },
});

const PAGES: readonly (readonly [string, string])[] = [
  ['start', base],
  ['errors', `${base}/docs/errors`],
  ['reference', `${base}/docs`],
  ['guides', `${base}/docs/guides`],
  ['guide', `${base}/docs/guides/test-mode`],
  ['error', `${base}/docs/errors/CARD_DECLINED`],
  ['reset', linkIn(await mailTo(h, user.email, /^Reset/)).link],
  ['terms', terms.link],
  ['confirm', linkIn(await mailTo(h, user.email, /^Confirm/)).link],
  ['confirm-lapsed', `${base}/confirm-address?token=${'0'.repeat(32)}`],
  ['log-in', `${base}/login`],
  ['forgotten', `${base}/forgotten-password`],
  ['sandbox', h.app.sandboxUrl()],
];

/**
 * The findings of axe that keep a person from reading or using the page. Excluded is the renderer's own field for
 * credentials, which declares itself a list of choices before the list exists.
 */
async function violations({ page }: TestPage): Promise<string[]> {
  // By the debugger, since the page's own policy lets no foreign script in.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { violations: found } = await (
      globalThis as unknown as {
        axe: {
          run(
            context: object,
          ): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }>;
        };
      }
    ).axe.run({ exclude: [['.code-input-lite__editor']] });
    return found.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes.map((n) => n.target))}`);
  });
}

/** Statuses and the like that take more than one line. */
const brokenNumbers = (page: TestPage['page']): Promise<string[]> =>
  page.evaluate(() => {
    const { document } = globalThis as unknown as {
      document: { querySelectorAll(selector: string): Iterable<Shown> };
    };
    const short = [...document.querySelectorAll('.codes span')];
    return short
      .filter((one) => one.getClientRects().length > 1 || one.offsetHeight > 40)
      .map(({ textContent }) => textContent);
  });

interface Shown {
  readonly offsetHeight: number;
  readonly textContent: string;
  getClientRects(): { readonly length: number };
}

test.each(PAGES)('the page %s reads well in light and dark, and on a phone', async (name, url) => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const visit = await browser.page();
    const { page } = visit;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(url);
    await page.getByRole('heading').first().waitFor();
    await picture(page, `${name}-${colorScheme}`);
    expect(await violations(visit)).toEqual([]);
    const wide = await page.evaluate('document.documentElement.scrollWidth');
    expect(wide, 'nothing sticks out').toBeLessThanOrEqual(360);
    expect(await brokenNumbers(page), 'numbers are not broken').toEqual([]);
    // A page about an invalid link says so by its status.
    const { problems } = visit;
    expectSound({ page, problems: problems.filter((one) => !one.includes('status of 400')) });
  }
});

const MAILS: readonly (readonly [string, string, RegExp])[] = [
  ['mail-welcome', company, /^Welcome/],
  ['mail-reset', user.email, /^Reset/],
  ['mail-confirm', user.email, /^Confirm/],
];

test.each(MAILS)('the %s reads well in light and dark, and on a phone', async (name, to, about) => {
  const { html, text } = await mailTo(h, to, about);
  for (const colorScheme of ['light', 'dark'] as const) {
    const visit = await browser.page();
    const { page } = visit;
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.setContent(html);
    await picture(page, `${name}-${colorScheme}`);
    expect((await violations(visit)).filter((one) => !/^(?:landmark|region)/.test(one))).toEqual(
      [],
    );
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
    const buttons = await page.locator('a').evaluateAll((all) => all.map((a) => a.href));
    const links = [...text.matchAll(/: (https?:\S+)$/gm)].map(([, link]) => link);
    expect(buttons).toEqual(links);
    expectSound(visit);
  }
});
