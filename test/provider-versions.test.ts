import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadConfig } from '#kernel/config/config.ts';
import { GRAPH_VERSIONS } from '#sandbox/providers/messages/graph-versions.ts';

const NOTICE_MS = 90 * 86_400_000;

const config = loadConfig({ NODE_ENV: 'test' });
const constant = (path: string, pattern: RegExp): string =>
  pattern.exec(readFileSync(path, 'utf8'))?.[0] ?? '';

/** The versions of other parties' interfaces that we call, and the day each ends; null if none is announced. */
const VERSIONS: readonly (readonly [string, string, string | null | undefined])[] = [
  ['Meta Graph', config.WHATSAPP_VERSION, GRAPH_VERSIONS[config.WHATSAPP_VERSION]?.ends],
  // docs.xendit.co/apidocs/create-invoice, and plaid.com/docs/api/versioning: the newest of each.
  ['Xendit', constant('src/providers/psp-a/adapter.ts', /2020-10-31/), null],
  ['Plaid', constant('node_modules/plaid/dist/api.js', /2020-09-14/), null],
];

test.each(VERSIONS)('%s: version %s is usable for another 90 days', (name, version, ends) => {
  expect(version, `${name} is called by another version`).not.toBe('');
  expect(ends, `${name} ${version} has no entry`).toBeDefined();
  if (ends === null || ends === undefined) return;
  expect(Date.parse(ends) - Date.now(), `${name} ${version} ends on ${ends}`).toBeGreaterThan(
    NOTICE_MS,
  );
});
