import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { socialBots } from '#test/social.ts';
import { violationsOn } from './axe.ts';
import { expectSound, picture, testBrowser } from './browser.ts';

const browser = await testBrowser();
const h = await harness({ mock: false });
const people = socialBots(h);

/** How far one would have to scroll to the side. */
const WIDTH_BEYOND = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';

test('a person writes the code to the bot and answers its question, on a small screen', async () => {
  const as = await people.member();
  const [, { data }] = await people.start(as);
  const visit = await browser.page();
  const { page } = visit;
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`${h.app.sandboxUrl()}/social/chat`);
  await page.getByRole('heading', { name: 'Telegram: Ada and the bot' }).waitFor();
  await page.getByLabel('Name').fill('<b>Ada</b>');
  await page.getByLabel('Message').fill(data.code);
  await page.getByRole('button', { name: 'Write' }).click();
  await page.getByText('You will not be asked for money').waitFor();
  await picture(page, 'chat-asked');
  expect(await violationsOn(page)).toEqual([]);
  expect(await page.evaluate(WIDTH_BEYOND)).toBe(0);
  await page.getByRole('button', { name: 'Yes' }).click();
  await page.getByText('Now confirm in the app').waitFor();
  await picture(page, 'chat-answered');
  expect(await people.link(as, data.link_id)).toMatchObject({
    status: 'CONFIRMING',
    account: { display_name: '<b>Ada</b>' },
  });
  expectSound(visit);
});

test('a forged message is not taken, and one that comes twice is answered once', async () => {
  const { page } = await browser.page();
  await page.goto(`${h.app.sandboxUrl()}/social/chat?platform=telegram&from=70990001`);
  for (const [how, text] of [
    ['forged', 'Good morning'],
    ['twice', 'Good evening'],
  ] as const) {
    await page.getByLabel('Message').fill(text);
    await page.getByLabel('Arrives').selectOption(how);
    await page.getByRole('button', { name: 'Write' }).click();
    await page.getByText(`Ada: ${text}`).waitFor();
  }
  const inbox = await h.db
    .selectFrom('inbox')
    .select('event')
    .where('source', '=', 'telegram-bot')
    .execute();
  expect(inbox.filter(({ event }) => JSON.stringify(event).includes('70990001'))).toHaveLength(1);
});
