import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/**
 * Every text for people is in all languages. They are in modules of texts, as `{en, id}`; the types ask for both, and
 * this for two that differ.
 */

const FILES = globSync('src/**/{texts,*-texts}.ts').sort();
/** Each chooses the language by itself, sentence by sentence. */
const ELSEWHERE = ['src/features/commerce/agent/texts.ts'];
/** What is the same in both: `file path`. */
const SAME: readonly string[] = [
  'src/features/commerce/invoices/checkout/texts.ts CHECKOUT_TEXTS.method.qris',
  'src/features/commerce/invoices/refunds/claim-texts.ts CLAIM_TEXTS.bank',
];
/** Who sends what is in its reader's language already. */
const LOCALISED_BEFORE = ['src/features/accounts/social-bots/tell.ts'];

type Texts = Readonly<Record<string, unknown>>;

const isTexts = (value: unknown): value is Texts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Places whose texts are the same, or that one language lacks. */
function unlike(en: unknown, id: unknown, path: string): string[] {
  if (isTexts(en) && isTexts(id))
    return [...new Set([...Object.keys(en), ...Object.keys(id)])].flatMap((key) =>
      unlike(en[key], id[key], `${path}.${key}`),
    );
  if (typeof en !== typeof id) return [`${path}: not in both`];
  const [one, other] = [en, id].map((value) =>
    typeof value === 'function' ? String(value) : JSON.stringify(value),
  );
  return one === other ? [path] : [];
}

test('every text for people differs in each language, or is known to be the same', async () => {
  const found: string[] = [];
  const without: string[] = [];
  for (const file of FILES) {
    const made = (await import(`../${file}`)) as Texts;
    const localised = Object.entries(made).filter(
      (entry): entry is [string, Texts] => isTexts(entry[1]) && 'en' in entry[1],
    );
    if (localised.length === 0) without.push(file);
    for (const [name, { en, id }] of localised) found.push(...unlike(en, id, `${file} ${name}`));
  }
  expect(without).toEqual(ELSEWHERE);
  expect(found).toEqual(SAME);
});

test('no message has words of its own beside the modules of texts', () => {
  const files = globSync('src/{features,app}/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
  const senders = files.filter((file) => /\bwords: /.test(readFileSync(file, 'utf8')));
  const spoken = files.filter((file) => readFileSync(file, 'utf8').includes('alreadyLocalised('));
  expect(spoken).toEqual(LOCALISED_BEFORE);
  const inline = senders.filter((file) =>
    /^\s+(?:subject|text): ?\[?['`]/m.test(readFileSync(file, 'utf8')),
  );
  expect(inline).toEqual([]);
});
