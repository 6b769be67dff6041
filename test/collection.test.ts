import { expect, test } from 'vitest';
import { DEMO, seed } from '#src/app/seed.ts';
import { harness } from './harness.ts';

/** The collection for users who import the requests and send them unchanged. */
const h = await harness();
// biome-ignore lint/suspicious/noExplicitAny: what is imported is plain JSON.
type Json = any;
const origin = new URL(h.app.apiUrl()).origin;
const collection: Json = await (await fetch(`${origin}/postman.json`)).json();
const document: Json = await (await fetch(`${origin}/openapi.json`)).json();
/** The requests of folders and of folders in them. */
const requestsIn = (items: Json[]): Json[] =>
  items.flatMap((one) => (one.item ? requestsIn(one.item) : [one]));
const [mainJob, ...others] = collection.item;
const requests = requestsIn(others);
const variables = new Map<string, string>(
  collection.variable.map(({ key, value }: Json) => [key, value]),
);
const filled = (text: string) =>
  text.replace(/\{\{(\w+)\}\}/g, (_, name) => variables.get(name) ?? '');

const send = (operation: string) =>
  sent(requests.find((one) => one.request.description.startsWith(`\`${operation}\``)));

/** The names of the tests that have passed. */
const passed: string[] = [];

/** Sends it as a program that has imported it. */
async function sent({ request, event }: Json): Promise<[number, Json]> {
  const parts = new Map(
    request.url.variable.map(({ key, value }: Json) => [`:${key}`, filled(value)]),
  );
  const path = request.url.path.map((part: string) => parts.get(part) ?? part).join('/');
  const headers = request.header.filter(({ disabled }: Json) => !disabled);
  const reply = await fetch(`${filled(request.url.host[0])}/${path}`, {
    method: request.method,
    headers: headers.map(({ key, value }: Json) => [key, filled(value)]),
    ...(request.body && { body: request.body.raw }),
  });
  const body = await reply.json();
  const pm = {
    response: {
      json: () => body,
      to: { have: { status: (wanted: number) => expect(reply.status).toBe(wanted) } },
    },
    test: (name: string, check: () => void) => {
      check();
      passed.push(name);
    },
    collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
  };
  for (const { script } of event ?? []) new Function('pm', script.exec.join('\n'))(pm);
  return [reply.status, body];
}

test('it has every operation of the document but endless ones, by groups and tags', () => {
  const operations = Object.values<Json>(document.paths)
    .flatMap(Object.values<Json>)
    .filter(({ operationId }) => !['eventsStream', 'checkoutFollow'].includes(operationId));
  const ids = requests.map(({ request }) => /^`(\w+)`/.exec(request.description)?.[1]);
  expect(ids.sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  expect(others.map(({ name }: Json) => name)).toEqual([
    ...document['x-tagGroups'].map(({ name }: Json) => name),
    'What ends the log-in',
  ]);
});

test('what ends the log-in comes last', () => {
  const last = requestsIn(others.slice(-1)).map(({ request }) => request.description.split('`')[1]);
  expect(last.sort()).toEqual(['sessionsEnd', 'sessionsEndOthers', 'usersLogOut']);
});

test('the main job comes first, keeps what its later requests need, and checks its answers', async () => {
  await seed(h.kernel, h.app.features.afterUser);
  for (const one of requestsIn([mainJob])) await sent(one);
  expect(passed).toHaveLength(4);
  for (const name of ['token', 'walletId']) variables.set(name, '');
});

test('after the log-in, which keeps its token, the main job is sent as it is', async () => {
  expect(variables.get('apiKey')).toBe(DEMO.apiKey);
  expect((await send('fiatWalletsOpen'))[0]).toBe(401);
  expect((await send('authLogIn'))[0]).toBe(200);
  expect((await send('fiatWalletsOpen'))[0]).toBe(200);
  const [status, { data }] = await send('cardsTopUp');
  expect([status, data.status]).toEqual([200, 'SUCCESS_RECEIVED']);
  expect((await send('fiatWalletsListTransactions'))[0]).toBe(200);
});

test('members of the rewards app have a token of their own', async () => {
  const token = variables.get('token');
  expect((await send('rewardsLogIn'))[0]).toBe(200);
  expect((await send('rewardsGetProfile'))[0]).toBe(200);
  expect(variables.get('token')).toBe(token);
});
