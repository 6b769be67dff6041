import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { features, inFeature, product } from './sources.ts';

/**
 * Whose a table is: who writes it. The statements tell, those of the query builder and those written by
 * hand. An exception that no longer applies is a failure too.
 */

/** What says who somebody is and how it stands with them: every list of people joins these. */
const JOINED_BY_ALL = ['clients', 'temporary_passwords', 'users', 'verifications'];

/** `table: owner`, with the reason why there is a second writer. */
const SECOND_WRITERS: Readonly<Record<string, string>> = {
  // Every request uses a key, so the kernel counts the uses, in batches.
  api_keys: 'kernel',
};

/** `table: reader`, with the reason why it is not asked through the owner. */
const READERS: readonly string[] = [
  // A stream ends with the key or the log-in by which it began, which one statement each can say.
  'api_keys: events',
  'sessions: events',
  // Counted in one statement with the transfers, or a burn could slip in between.
  'effects: crosschain',
  // A card transaction is never read without the ledger account of its wallet.
  'fiat_wallets: cards',
  // The lock by which those who hold from one wallet take turns.
  'wallet_addresses: wallet-spending',
  // Credentials are looked up for every request, by one statement for all kinds of them.
  'userx: kernel',
];

const schema = readFileSync('src/kernel/db/schema.generated.ts', 'utf8');
const [, listed = ''] = schema.split('export interface DB {');
const tables = new Set([...listed.matchAll(/^ {2}"?([\w.]+)"?: /gm)].map(([, name = '']) => name));

const WRITES = [
  /\.(?:insertInto|updateTable|deleteFrom|mergeInto)\(\s*'([\w.]+)/g,
  /\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+(?:only\s+)?([\w.]+)/g,
];
const READS = [
  /\.(?:selectFrom|(?:inner|left|right|full|cross)Join|from|using)\(\s*'([\w.]+)/g,
  /\bselectFrom\(\s*'([\w.]+)/g,
  /\b(?:from|join|using)\s+(?:only\s+)?([\w.]+)/g,
];

/**
 * Who names which tables so: pairs of a table and a feature, or another folder of `src`. The composition is
 * left out: it makes the demo's rows before anybody is served, and asks how the database is.
 */
function naming(statements: readonly RegExp[]): [table: string, by: string][] {
  const found = product
    .filter(({ path }) => !path.startsWith('src/app/'))
    .flatMap(({ path, text }) => {
      const by = inFeature(path)?.area ?? path.split('/')[1] ?? '';
      const code = text.replace(/^import .*?;$|\/\*.*?\*\/|\/\/[^\n]*/gms, '');
      const names = statements.flatMap((form) => [...code.matchAll(form)].map(([, name]) => name));
      return names.flatMap((name = '') => (tables.has(name) ? [`${name}: ${by}`] : []));
    });
  return [...new Set(found)].sort().map((pair) => pair.split(': ') as [string, string]);
}

const writers = Map.groupBy(naming(WRITES), ([table]) => table);
const writersOf = (table: string) => (writers.get(table) ?? []).map(([, by]) => by);

test('a table is written by one feature, by the kernel or by the chains', () => {
  const shared = [...writers].filter(([, by]) => by.length > 1).map(([table]) => table);
  expect(shared).toEqual(Object.keys(SECOND_WRITERS));
  for (const [table, second] of Object.entries(SECOND_WRITERS))
    expect(writersOf(table)).toContain(second);
});

test('what a feature keeps is read by others through its public file', () => {
  const foreign = naming(READS).filter(([table, by]) => {
    const owners = writersOf(table);
    return owners.length > 0 && !owners.includes(by) && !JOINED_BY_ALL.includes(table);
  });
  expect(foreign.map((pair) => pair.join(': '))).toEqual([...READERS].sort());
});

/** Tables with a status that nobody outside needs to hear of, with the reason. */
const UNTOLD: Readonly<Record<string, string>> = {
  // What one user and the agent have said to each other; what it did is told by whoever did it.
  agent_confirmations: 'agent',
  agent_conversations: 'agent',
  // A message is our own; what it is about is told by whoever sends it.
  messages: 'messages',
  // Paid for others, who tell of theirs: a redemption, a conversion, a ramp.
  payouts: 'payouts',
};

test('a feature whose table has a status tells of what becomes of it', () => {
  const interfaces = new Map(
    [...schema.matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms)].map(([, name, body]) => [
      name,
      body ?? '',
    ]),
  );
  const telling = new Set(
    product
      .filter(({ text }) => /\bdefineEvents?\(/.test(text))
      .map(({ path }) => inFeature(path)?.area),
  );
  const silent = [...listed.matchAll(/^ {2}"?([\w.]+)"?: (\w+);/gm)]
    .filter(([, , type]) => /^ {2}(?:\w+_)?(?:status|state): /m.test(interfaces.get(type) ?? ''))
    .flatMap(([, table = '']) => writersOf(table).map((area) => [table, area] as const))
    .filter(([, area]) => features.includes(area) && !telling.has(area));
  expect(Object.fromEntries(silent)).toEqual(UNTOLD);
});
