import { describe, expect, test } from 'vitest';
import { type Source, shipped } from './sources.ts';

/**
 * The counters that many callers share, and the reason why one of them cannot use each up. A ceiling of a process
 * belongs into `kernel/quota/ceilings.ts`, one of a day into a `QuotaRule`: there each client, each network and all
 * strangers have a share. The counters listed here are no such ceilings, or have shares of their own.
 */
type Reasons = Readonly<Record<string, string>>;

/** Counts work in flight: goes up by one, and down again. */
const UNDER_WAY: Reasons = {
  'src/kernel/batcher.ts':
    'batches of one statement each; what waits there has paid its rate limit',
  'src/kernel/metrics.ts': 'parts of one scrape',
  'src/kernel/http/serve/connections.ts': 'has a share for each network',
  'src/kernel/http/declare/json-scan.ts': 'the depth of one body',
  'src/kernel/secrets/semaphore.ts': 'goes round by origin; the longest queue loses its last one',
  'src/features/messaging/webhooks/delivery/object-queues.ts': 'events of one endpoint',
  'src/providers/shop/wire.ts': 'the depth of one page',
  'src/chains/evm/sending/sender.ts': 'transactions under way of our own signers',
};

/** Compares a size with a bound. */
const HELD: Reasons = {
  'src/providers/plaid/signature.ts': 'keeps keys of the provider, the newest ones',
  'src/app/operate/payment-metrics.ts': 'names in metrics',
  'src/kernel/http/answer/ended-attempts.ts': 'a memory: what it lacks is looked up',
  'src/kernel/quota/windows.ts': 'the windows of the rate limits, which have budgets for each',
  'src/kernel/access/console-sessions.ts': 'a memory: what it lacks is looked up',
  'src/kernel/access/credential-cache.ts': 'a memory: what it lacks is looked up',
  'src/kernel/policies/expression.ts': 'a memory: what it lacks is compiled again',
  'src/kernel/ledger/parts.ts': 'a memory: what it lacks is looked up',
  'src/kernel/secrets/jwt.ts': 'a memory: what it lacks is verified',
  'src/kernel/db/deferred-writes.ts': 'texts of statements, of which the code has few',
  'src/kernel/db/statement-names.ts': 'texts of statements, of which the code has few',
  'src/features/fiat/cards/approvals.ts': 'a memory: what it lacks is looked up',
  'src/features/fiat/fiat-wallets/store.ts': 'a memory: what it lacks is looked up',
  'src/features/banking/card-disputes/evidence.ts': 'the size of one document',
  'src/features/messaging/payments/moments.ts': 'names in one answer',
  'src/features/messaging/webhooks/delivery/serving.ts':
    'deliveries of one endpoint; all have their shares',
  'src/providers/shop/wire.ts': 'facts of one page',
  'src/providers/shop/microdata.ts': 'facts of one page',
  'src/features/commerce/marketplace/catalogue/ttl-cache.ts':
    'a memory: what it lacks is asked for',
  'src/features/accounts/two-factor/set-up.ts': 'the codes of one user',
};

/** Refuses because a limit is reached. */
const REFUSING: Reasons = {
  'src/kernel/batcher.ts': 'what waits there has paid its rate limit',
  'src/kernel/quota/shares.ts': 'the shares themselves',
  'src/kernel/http/answer/dry-run-answer.ts': 'rows are locked by other operations',
  'src/kernel/secrets/semaphore.ts': 'goes round by origin; the longest queue loses its last one',
  'src/kernel/http/declare/faults.ts': 'says that the database has no connection in time',
  'src/kernel/http/answer/limits.ts': 'budgets by key, address and client (decision 19)',
  'src/kernel/quota/quota.ts': 'quotas with a part for each client (decision 36)',
  'src/kernel/access/attempts.ts': 'failures by account and network',
  'src/features/fiat/cards/declines.ts': 'declines by user, card and client',
  'src/features/accounts/users/profile-routes.ts': 'one code of one user',
  'src/features/operator/team/invite.ts': 'the people of one team',
  'src/features/accounts/profile/phone.ts': 'one code of one user',
  'src/features/accounts/mobile/request-code.ts': 'one code of one phone and caller',
};

const SIZE = /[\w.]\.size (?:>=?|<=?) (?:[A-Z][A-Z_]+\b|(?:\w+\.)?(?:max|most|limit|total)\b)/;
const REFUSAL = /\bfail\(\s*'(?:OVERLOADED|RATE_LIMITED)'/;
const OF_ONE = String.raw`([\w.]+)`;

function countsBothWays({ text }: Source): boolean {
  const named = (sign: string) =>
    [...text.matchAll(new RegExp(`${OF_ONE} ${sign}= 1\\b|${OF_ONE}${sign.repeat(2)}`, 'g'))].map(
      ([, added, stepped]) => added ?? stepped,
    );
  const up = new Set(named(String.raw`\+`));
  return named('-').some((name) => up.has(name));
}

const rules: readonly [string, Reasons, (source: Source) => boolean][] = [
  ['counts what is under way', UNDER_WAY, countsBothWays],
  ['compares how many something holds with a bound', HELD, ({ text }) => SIZE.test(text)],
  ['refuses because there is too much', REFUSING, ({ text }) => REFUSAL.test(text)],
];

describe.each(rules)('what %s', (_rule, reasons, breaks) => {
  test('is a share of the kernel’s, or is listed here with its reason', () => {
    const found = shipped.filter((source) => breaks(source)).map(({ path }) => path);
    const isShare = (path: string) => path === 'src/kernel/quota/at-once.ts';
    expect(found.filter((path) => !isShare(path)).toSorted()).toEqual(
      Object.keys(reasons).toSorted(),
    );
  });
});

test('ceilings made by hand are found', () => {
  const of = (text: string): Source => ({ path: 'src/features/x.ts', text });
  const [counting, holding, refusing] = rules.map(([, , breaks]) => breaks);
  for (const text of ['running += 1;\nrunning -= 1;', 'state.held++;\nstate.held--;'])
    expect(counting?.(of(text))).toBe(true);
  expect(counting?.(of('index += 1;\nleft -= 1;'))).toBe(false);
  for (const text of ['if (open.size >= OPEN_MAX) throw', 'while (busy.size < rule.most)'])
    expect(holding?.(of(text))).toBe(true);
  expect(holding?.(of('if (open.size > 0) return;'))).toBe(false);
  expect(refusing?.(of("throw fail('OVERLOADED', 'Too many')"))).toBe(true);
});
