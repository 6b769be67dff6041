import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The findings of axe that keep a person from reading or using the page. */
export async function violationsOn(page: Page): Promise<string[]> {
  // By the debugger, since the page's own policy lets no foreign script in.
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: run } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown }[] }[] }> };
    };
    const { violations: found } = await run.run();
    return found.map(({ id, nodes }) => `${id}: ${JSON.stringify(nodes.map((n) => n.target))}`);
  });
}
