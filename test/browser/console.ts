import type { Page } from 'playwright-core';
import { afterAll } from 'vitest';
import { command } from '../command.ts';
import { signIn } from '../console.ts';
import { removeFolder } from '../folders.ts';
import type { Harness, Person } from '../harness.ts';
import { runFolder } from '../run-folder.ts';

/** The console's files, built for this test file as for every user. */
export async function builtConsole(): Promise<string> {
  const folder = await runFolder();
  afterAll(() => removeFolder(folder));
  const built = await command(['scripts/build-console.ts', '--out', folder], {});
  if (built.code !== 0) throw new Error(built.err);
  return folder;
}

/** The address of the harness's console. */
export const consoleOf = (h: Harness): string =>
  `${h.kernel.publicUrl().replace('127.0.0.1', 'localhost')}/console`;

/** Signed in as that person, at that screen; answers the cookie. */
export async function enterConsole(
  h: Harness,
  page: Page,
  person: Person,
  path: string,
): Promise<string> {
  const { cookie } = await signIn(h, person);
  const [name = '', value = ''] = cookie.split('=');
  const url = consoleOf(h);
  await page.context().addCookies([{ name, value, url, httpOnly: true, sameSite: 'Strict' }]);
  await page.goto(url + path);
  await page.locator('nav').waitFor({ state: 'attached' });
  return cookie;
}
