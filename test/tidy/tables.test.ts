import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { features, inFeature, product } from './sources.ts';

/**
 * A table belongs to its writer, by the statements of the query builder and hand-written ones. An exception that no
 * longer applies is a failure too.
 */

/** The tables that describe people and their status: every list of people joins these. */
const JOINED_BY_ALL = ['clients', 'temporary_passwords', 'users', 'verifications'];

/** `table: owner`, with the reason for a second writer. */
const SECOND_WRITERS: Readonly<Record<string, string>> = {
  // Every request uses a key, so the kernel counts the uses, in batches.
  api_keys: 'kernel',
};

/** `table: reader`, with the reason why it does not read through the owner. */
const READERS: readonly string[] = [
  // Whether an account is being closed is read with its session, for every request.
  'account_closings: kernel',
  // A stream ends with the key or the log-in by which it began, which one statement each can check.
  'api_keys: events',
  'sessions: events',
  // What a user can prove an operation with is read with the policies, by one statement.
  'passkeys: issued-cards',
  'passkeys: kernel',
  // The language of a message is read with it, by one statement.
  'profiles: messages',
  // A device is there for as long as its log-in can be renewed.
  'sessions: mobile',
  // An app is let in for as long as the key and the log-in behind it are there, and its token leads to both at once.
  'api_keys: connected-apps',
  'oauth_grants: kernel',
  'oauth_tokens: kernel',
  'sessions: connected-apps',
  // Counted in one statement with the transfers, or a burn could slip in between.
  'effects: crosschain',
  // A card transaction is never read without the ledger account of its wallet.
  'fiat_wallets: cards',
  // A page of monitors is read with how far each one's account has come, by one statement.
  'ledger.accounts: balance-monitors',
  // The payments of a wallet are found among those of its owner.
  'fiat_wallets: kernel',
  // The lock that serialises holds of one wallet.
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
 * The users of tables: pairs of a table and a feature, or another folder of `src`. The composition is excluded: it
 * creates the demo's rows before the service starts, and checks the database.
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

test('other features read a feature’s tables through its public file', () => {
  const foreign = naming(READS).filter(([table, by]) => {
    const owners = writersOf(table);
    return owners.length > 0 && !owners.includes(by) && !JOINED_BY_ALL.includes(table);
  });
  expect(foreign.map((pair) => pair.join(': '))).toEqual([...READERS].sort());
});

/** Tables with a status that needs no events, with the reason. */
const UNTOLD: Readonly<Record<string, string>> = {
  // The events of its user say so.
  account_closings: 'profile',
  // A user's conversation with the agent; the features that act for it emit the events.
  agent_confirmations: 'agent',
  agent_conversations: 'agent',
  // A message is our own; its sender emits the event behind it.
  messages: 'messages',
  // An export is its person's alone, and is told to no one.
  person_exports: 'profile',
  // Paid for other features, which emit theirs: a redemption, a conversion, a ramp.
  payouts: 'payouts',
  // A request is over when its line is written.
  request_logs: 'request-logs',
};

test('a feature with a table with a status emits its changes', () => {
  const interfaces = new Map(
    [...schema.matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms)].map(([, name, body]) => [
      name,
      body ?? '',
    ]),
  );
  const telling = new Set(
    product
      .filter(({ text }) => /\b(?:defineEvents?|defineObject)\b/.test(text))
      .map(({ path }) => inFeature(path)?.area),
  );
  const silent = [...listed.matchAll(/^ {2}"?([\w.]+)"?: (\w+);/gm)]
    .filter(([, , type]) => /^ {2}(?:\w+_)?(?:status|state): /m.test(interfaces.get(type) ?? ''))
    .flatMap(([, table = '']) => writersOf(table).map((area) => [table, area] as const))
    .filter(([, area]) => features.includes(area) && !telling.has(area));
  expect(Object.fromEntries(silent)).toEqual(UNTOLD);
});
