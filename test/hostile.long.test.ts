// Long: calls every endpoint, in every hostile way.

import { expect, test } from 'vitest';
import type { Route } from '#kernel/http/declare/route.ts';
import { type Body, harness } from '#test/harness.ts';

/**
 * Every mounted endpoint, with hostile requests: it must answer 4xx with the error, in its
 * family, and leave every table unchanged.
 */
const h = await harness();

const deep = `${'['.repeat(500)}${']'.repeat(500)}`;
const HOSTILE: readonly unknown[] = [
  null,
  true,
  [],
  {},
  -1,
  0.123456789012345,
  1e21,
  2 ** 53,
  '1e3',
  '-5',
  '0x10',
  'NaN',
  '',
  '\0',
  '\ud800',
  "'; drop table users; --",
  'x'.repeat(20_000),
  { $ne: null },
  { toString: 'x' },
];

test.each(h.app.features.routes.map((route) => [route.id, route] as const))(
  '%s survives hostile input and stores none of it',
  async (_id, route) => {
    const as = await callerOf(route);
    const before = await contents();
    let accepted = 0;
    for (const sent of requests(route)) {
      const { status, body: answer } = await h.send(route.id, { as, ...sent });
      const text = JSON.stringify(sent).slice(0, 200);
      const what = `${status} ${JSON.stringify(answer).slice(0, 300)} for ${text}`;
      expect(status < 500 || isDeliberate(route, answer), what).toBe(true);
      if (status < 400) accepted += 1;
    }
    // Some endpoints need nothing, and a name may well be "1e3"; a refused request must leave no trace.
    if (accepted === 0) expect(await contents()).toEqual(before);
  },
);

/** The one 500 that the contract asks for: an original that is unknown or refunded already. */
const isDeliberate = (route: Route, answer: Body): boolean =>
  route.id === 'POST /card-checkout/card/refund' && answer.code === 'ORIGINAL_NOT_FOUND';

/** Every hostile place with a plain body, and every hostile body at a place that does not exist. */
function* requests(
  route: Route,
): Generator<{ params: Record<string, string>; body?: unknown }, void> {
  const [usual = {}, ...others] = places(route);
  if (route.endpoint.body === undefined) return yield* places(route).map((params) => ({ params }));
  for (const body of bodies(route)) yield { params: usual, body };
  for (const params of others) yield { params, body: {} };
}

/** Each declared field in turn with a hostile value, beside valid values of its neighbours. */
function* bodies({ endpoint }: Route): Generator<unknown> {
  yield {};
  yield `{"__proto__":{"admin":true}}`;
  yield `{"constructor":{"prototype":{"x":1}}}`;
  yield deep;
  yield '{"a":';
  const { properties = {} } = (endpoint.body ?? {}) as { properties?: Record<string, object> };
  const names = Object.keys(properties);
  // The same wrong value everywhere: nothing about it can be valid, in any order of checks.
  for (const value of HOSTILE) yield Object.fromEntries(names.map((name) => [name, value]));
}

function places({ id }: Route): Record<string, string>[] {
  const names = [...id.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return [{}];
  return ['2000000000', '-1', 'x%00y', '99999999999999999999', "1'--"].map((value) =>
    Object.fromEntries(names.map((name) => [name, value])),
  );
}

/** A new user each time: a log-out or a deletion must not spare the endpoints after it. */
async function callerOf({ endpoint }: Route): Promise<{ token: string }> {
  if (endpoint.auth === 'rewards') return rewardsUser();
  return h.user(endpoint.auth === 'admin' ? { role: 'admin' } : {});
}

let counting: string | undefined;
/** Row counts and newest row versions of every table that an endpoint may write. */
async function contents(): Promise<unknown> {
  // Failed attempts are stored on purpose, and keys and budgets count their uses.
  counting ??= await countingOf();
  return (await h.kernel.pool.query(counting)).rows;
}

/** One statement over all tables. */
async function countingOf(): Promise<string> {
  const { rows } = await h.kernel.pool.query<{ name: string }>(`
    select schemaname || '.' || tablename as name from pg_tables
     where schemaname in ('public', 'ledger') and tablename not in
       ('login_failures', 'two_factor_audit', 'api_keys', 'schema_migrations', 'activity_log',
        'idempotency_keys', 'budgets')
     order by 1`);
  const counts = rows.map(
    ({ name }) =>
      `select '${name}' as name, count(*) as n, max(xmin::text::bigint) as newest from ${name}`,
  );
  return counts.join(' union all ');
}

let phones = 0;
async function rewardsUser(): Promise<{ token: string }> {
  phones += 1;
  const phone = `+62812345${String(phones).padStart(5, '0')}`;
  const [, { token }] = await h.call('POST /xusers/login', { body: { phone } });
  return { token };
}
