// Long: every operation that moves money, asked first and made then, in random orders and states.

import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { type Asset, format } from '#kernel/money/money.ts';
import { DEMO, seed } from '#src/app/seed.ts';
import { digestOf } from './digest.ts';
import { type Body, harness } from './harness.ts';
import { type Random, randomOf } from './random.ts';
import { someId } from './some-id.ts';

/**
 * What a dry run says is what the operation does: of each operation in the list that the declarations are. Later
 * operations use the ids of what earlier ones have made, so that every order comes to other states.
 */
const h = await harness();
await seed(h.kernel, h.app.features.afterUser);
const document: Body = await (await fetch(`${h.kernel.publicUrl()}/openapi.json`)).json();
/** These take a caller away whom the others need. */
const LAST = ['clients.stop', 'admins.stopUser'];
const moving = h.app.features.routes.filter(
  ({ endpoint: { movesMoney, name } }) => movesMoney && !LAST.includes(name),
);

type Who = 'user' | 'admin' | 'operator';
const logInAs = async (who: Who) => {
  const { email: usernameoremail, password } = DEMO[who];
  const [, { data }] = await h.call('POST /auth/login', { body: { usernameoremail, password } });
  return { token: data.token as string };
};
const people = {
  user: await logInAs('user'),
  admin: await logInAs('admin'),
  operator: await logInAs('operator'),
};

/** Values of ids in answers, by the names of their fields. */
const learnt = new Map<string, unknown[]>();
function learn(part: Body): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [name, value] of Object.entries(part))
    if (typeof value === 'object') learn(value);
    else if (/_id$/.test(name)) learnt.set(name, [...(learnt.get(name) ?? []), value]);
}

interface Asked {
  readonly as: { readonly token: string };
  readonly params: Readonly<Record<string, string>>;
  readonly body: Body;
}

/** An input of that operation: its example, with ids of what is there and another amount, by chance. */
function inputOf(route: Route, chance: Random): Asked {
  const [method = '', path = ''] = route.id.split(' ');
  const operation = document.paths[path][method.toLowerCase()];
  const knownId = (name: string, value: unknown): unknown => {
    const some = learnt.get(name) ?? [];
    return some.length > 0 && chance.chance(0.8) ? chance.pick(some.slice(-5)) : value;
  };
  const varied = (part: Body): Body => {
    if (Array.isArray(part)) return part.map(varied);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, value]) => {
        if (typeof value === 'object') return [name, varied(value)];
        if (/_id$/.test(name)) return [name, knownId(name, value)];
        if (name !== 'amount' || chance.chance(0.2)) return [name, value];
        const amount = `${chance.int(1, 40)}.00`;
        return [name, typeof value === 'number' ? Number(amount) : amount];
      }),
    );
  };
  const names = [...route.id.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const params = names.map((name) => [name, String(knownId(name, someId(route, name)))]);
  const who = route.endpoint.auth === 'admin' || chance.chance(0.1) ? 'operator' : 'user';
  return {
    as: people[who],
    params: Object.fromEntries(params),
    body: varied(operation.requestBody?.content['application/json'].example),
  };
}

/** Of an answer what says how it has ended, without the operation's own names and times. */
const KEPT = /^(success|code|error_code|status|amount|currency|fee|platform_fee|net_amount|asset)$/;
const kindOf = (body: Body): string =>
  JSON.stringify(body, (name, value) =>
    value === null || typeof value === 'object' || KEPT.test(name) ? value : typeof value,
  );

interface Leg {
  readonly account: string;
  readonly asset: Asset;
  readonly amount: bigint;
  readonly held: bigint;
}

const postedSince = async (last: number): Promise<object[]> => {
  const legs = await run<Leg>(
    h.db,
    `select case a.owner when 'house' then a.purpose else coalesce('wallet:' || w.wallet_id, a.owner) end as account,
       a.asset, e.amount, e.held_delta as held
     from ledger.entries e join ledger.accounts a using (account_id)
     left join fiat_wallets w on 'user:' || w.user_id = a.owner and w.currency = a.asset and a.purpose = 'wallet'
     where e.transfer_id > $1`,
    [last],
  );
  return legs.map(({ asset, amount, held, account }) => ({
    account,
    asset,
    amount: format({ asset, units: amount }),
    held: format({ asset, units: held }),
  }));
};
/** The last transfer and the last wallet so far. */
const lastOnes = async (): Promise<{ readonly transfer: number; readonly wallet: number }> => {
  const [row] = await run<{ transfer: number; wallet: number }>(
    h.db,
    `select coalesce((select max(transfer_id) from ledger.transfers), 0)::integer as transfer,
       coalesce((select max(wallet_id) from fiat_wallets), 0)::integer as wallet`,
    [],
  );
  if (!row) throw new Error('There is no last one');
  return row;
};

/** Those of an operation; a wallet that it opens has another number each time. */
const inOrder = (postings: readonly object[], wallet: number): string[] =>
  postings
    .map((one) =>
      JSON.stringify(one).replace(/wallet:(\d+)/, (known, id) =>
        Number(id) > wallet ? 'wallet:new' : known,
      ),
    )
    .toSorted();

/** Work beside may change a table meanwhile; what a dry run left would be there each time. */
const TRIES = 3;

async function dryRun(route: Route, input: Asked): Promise<Body> {
  let left: unknown[] = [];
  for (let n = 0; n < TRIES; n += 1) {
    const before = await digestOf(h);
    const { status, body } = await h.send(route.id, { ...input, query: { dry_run: 'true' } });
    const after = await digestOf(h);
    left = Object.keys(after).filter((table) => after[table] !== before[table]);
    if (left.length === 0) return { status, ...(body.data ?? body) };
  }
  throw new Error(`${route.id} leaves something in ${left}`);
}

const ROUNDS = [1, 2, 3, 4];
/** What was done, to its end or up to a call outside. */
const done = new Set<string>();

test.each(ROUNDS)('in order %i each operation does what its dry run has said', async (round) => {
  const chance = randomOf(round, 'order');
  const order = moving
    .map((route) => [chance.int(0, 1_000_000), route] as const)
    .toSorted(([a], [b]) => a - b);
  for (const [, route] of order) {
    const input = inputOf(route, chance);
    const dry = await dryRun(route, input);
    const last = await lastOnes();
    const headers = { 'idempotency-key': crypto.randomUUID() };
    const { status, body } = await h.send(route.id, { ...input, headers });
    learn(body);
    const where = `${route.id} ${JSON.stringify([input.params, input.body, dry])}`;
    // Credentials and the form of a request answer by themselves.
    if (dry.dry_run !== true) {
      expect(dry.status, where).toBe(status);
      continue;
    }
    const { would } = dry;
    if (status < 300) done.add(route.id);
    const posted = inOrder(await postedSince(last.transfer), last.wallet);
    const told = inOrder(would.postings, last.wallet);
    if (would.status === null) {
      expect(would.calls.length, where).toBeGreaterThan(0);
      // Up to the call outside; what follows it is posted when its outcome is known.
      if (status < 300) expect(posted, where).toEqual(expect.arrayContaining(told));
      continue;
    }
    // A page for people is in no dry run.
    const shown = typeof body === 'string' ? null : body;
    expect([would.status, kindOf(would.body)], where).toEqual([status, kindOf(shown)]);
    expect(told, where).toEqual(posted);
  }
});

test('enough of the operations were done', () => {
  expect(moving.length).toBeGreaterThan(50);
  expect(done.size, [...done].join('\n')).toBeGreaterThan(25);
});
