import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type CodeTable, meaningOf } from '#providers/code-table.ts';

/** Every word that a table may use: what becomes of the money, the message, or the customer. */
const MEANINGS = new Set([
  ...['PENDING', 'PROCESSING', 'PAID', 'EXPIRED', 'COMPLETED', 'FAILED'],
  ...['done', 'refused', 'wait', 'unknown', 'duplicate', 'minted', 'failed'],
  ...['not_started', 'pending_verification', 'verified', 'rejected'],
  ...['incomplete', 'under_review', 'approved'],
]);

const isTable = (value: unknown): value is CodeTable =>
  typeof value === 'object' && value !== null && 'meanings' in value;

const files = globSync('src/providers/*/*-codes.ts').toSorted();
const tables = (
  await Promise.all(
    files.map(async (file) => {
      const exported: Record<string, unknown> = await import(pathToFileURL(file).href);
      return Object.entries(exported).flatMap(([name, value]) =>
        isTable(value) ? [[`${file} ${name}`, value] as const] : [],
      );
    }),
  )
).flat();

test('at least eight providers have a table of their codes', () => {
  const providers = tables.map(([name]) => name.split('/')[2]);
  expect(new Set(providers).size).toBeGreaterThanOrEqual(8);
});

describe.each(tables)('%s', (_, table) => {
  test('names its document, and no day of a comparison that is still to come', () => {
    expect(table.source).toMatch(/^https:\/\/\S+/);
    if (table.read !== null) expect(Date.parse(table.read)).toBeLessThanOrEqual(Date.now());
  });

  test('gives every code one decided meaning, and none to another code', () => {
    expect(Object.keys(table.meanings).length).toBeGreaterThan(0);
    for (const [code, meaning] of Object.entries(table.meanings)) {
      expect(MEANINGS, code).toContain(meaning);
      expect(meaningOf(table, code)).toBe(meaning);
    }
    for (const code of ['NO_SUCH_CODE', 'constructor', '__proto__', '', undefined])
      expect(meaningOf(table, code)).toBeUndefined();
  });
});
