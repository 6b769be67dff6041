import { expect, test } from 'vitest';
import { run } from '#kernel/db/db.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { digestOf } from './digest.ts';
import { type Body, harness } from './harness.ts';
import { someId } from './some-id.ts';

/** What moves money can be asked what it would do: nothing of that stays, and nothing outside is called. */
const h = await harness();
const operator = await h.operator();
const { routes } = h.app.features;
const document: Body = await (await fetch(`${h.kernel.publicUrl()}/openapi.json`)).json();
const moving = routes.filter(({ endpoint }) => endpoint.movesMoney);

const operationOf = ({ id }: Route): Body => {
  const [method = '', path = ''] = id.split(' ');
  return document.paths[path][method.toLowerCase()];
};
const exampleOf = (route: Route): Body =>
  operationOf(route).requestBody?.content['application/json'].example;

const asked = (route: Route, body: Body) => {
  const names = [...route.id.matchAll(/\{(\w+)\}/g)].map(([, name = '']): [string, string] => [
    name,
    someId(route, name),
  ]);
  const params = Object.fromEntries(names);
  return h.send(route.id, { as: operator, params, query: { dry_run: 'true' }, body });
};

test('every operation that moves money takes dry_run, and says so in the document', () => {
  const told = moving.filter((route) => {
    const { parameters, 'x-archipay-money': money } = operationOf(route);
    return (
      money === true &&
      parameters.some((one: Body) => one.$ref === '#/components/parameters/DryRun')
    );
  });
  expect(told.map(({ id }) => id)).toEqual(moving.map(({ id }) => id));
  expect(moving.length).toBeGreaterThan(50);
});

test.each(moving.map((route) => [route.id, route] as const))(
  '%s answers what it would do, and leaves everything as it was',
  async (_, route) => {
    const before = await digestOf(h);
    const { status, body } = await asked(route, exampleOf(route));
    const answer = body.data ?? body;
    expect([status, answer.dry_run], JSON.stringify(body)).toEqual([200, true]);
    const { would } = answer;
    expect(would.status === null).toBe(would.calls.length > 0);
    expect(await digestOf(h)).toEqual(before);
  },
);

/** Sequences that no column has made, and what their numbers are: each only has to be a new one. */
const NUMBERS_OF_ROWS = {
  'ledger.transfer_ids': 'the order of postings',
  'public.policy_decision_ids': 'decisions of policies',
  'public.process_numbers': 'processes',
  'public.request_log_ids': 'lines of requests',
  'webhooks.attempt_ids': 'attempts to deliver',
};

test('what a dry run may use up is a number of a row, whose gaps mean nothing', async () => {
  const sequences = await run<{ name: string }>(
    h.db,
    `select s.schemaname || '.' || s.sequencename as name from pg_sequences s
      where s.schemaname not in ('sandbox') and not exists (
        select from pg_depend d
         where d.objid = format('%I.%I', s.schemaname, s.sequencename)::regclass
           and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i'))
      order by 1`,
    [],
  );
  expect(sequences.map(({ name }) => name)).toEqual(Object.keys(NUMBERS_OF_ROWS));
});
