// Long: every kind of caller calls every endpoint.

import { expect, test } from 'vitest';
import { type Body, harness, type Person } from '#test/harness.ts';
import { type Operation, readOperations, sampleOf } from './operations.ts';
import { type Ids, PLACEMENTS, type Placed } from './placements.ts';
import { MARK, makeWorld, standingOf } from './world.ts';

/**
 * A walk over everything that the OpenAPI document describes, by every kind of caller, including endpoints declared
 * later. Callers without access are refused; and a stranger who names others' things, in any way, learns nothing of
 * them and changes nothing of them.
 */
const h = await harness({ mock: false });
const origin = h.app.apiUrl().replace(/\/api$/, '');
const operations = await readOperations(origin);
const world = await makeWorld(h, operations);
const own = await h.user({ role: 'admin' });
const peer = await h.user({ client_id: world.owner.client_id });
const stranger = await h.user();

type Credentials = { readonly key?: string; readonly token?: string };

async function call(operation: Operation, placed: Placed, { key, token }: Credentials) {
  const reply = await fetch(
    `${h.app.apiUrl()}${placed.path}${placed.search === '' ? '' : `?${placed.search}`}`,
    {
      method: operation.method,
      headers: {
        ...placed.headers,
        ...(key && { 'x-api-key': key }),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(placed.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(placed.body !== undefined && { body: placed.body }),
    },
  );
  const text = await reply.text();
  const isJson = reply.headers.get('content-type')?.includes('json') ?? false;
  return { status: reply.status, text, body: (isJson ? JSON.parse(text) : {}) as Body };
}

const codeOf = (body: Body): string | undefined =>
  body?.code ?? body?.error?.code ?? body?.error_code;

/** Log-outs and deletions must not spare the operations after them. */
const freshToken = async ({ user_id }: Person): Promise<string> =>
  (await h.kernel.sessions.open(h.db, { user_id, method: 'password' })).token;

/** Valid values of other fields, so that the owner of the thing decides and not its form. */
const PLAUSIBLE: Readonly<Record<string, unknown>> = {
  amount: 10,
  alias: 'stolen',
  chain: 'sepolia',
  chain_id: 'sepolia',
  confirmation: 'delete',
  currency: 'USD',
  currency_code: 'USD',
  card_number: '4111111111111111',
  expiry_date: '1239',
  from_chain: 'sepolia',
  to_chain: 'amoy',
  token_symbol: 'USDC',
  current_password: stranger.password,
};

const filled: Ids['filled'] = ({ params, query, body }) => {
  const fill = (fields: Operation['params']) =>
    Object.fromEntries(
      [...fields].map(([name, schema]) => [name, PLAUSIBLE[name] ?? sampleOf(schema)]),
    );
  return { params: fill(params), query: fill(query), body: fill(body ?? new Map()) };
};

const idsOf = ({ user_id, client_id }: Person): Ids => ({
  foreign: world.foreign,
  own: { user_id, userId: user_id, client_id },
  filled,
});

/** The contract's one deliberate 500: a refund whose original does not exist for this caller. */
const isFault = (status: number, body: Body): boolean =>
  status >= 500 && status !== 503 && codeOf(body) !== 'ORIGINAL_NOT_FOUND';

const each = operations.map((operation) => [operation.id, operation] as const);
const inPlace = PLACEMENTS['in its place'] as (o: Operation, ids: Ids) => Placed;

test('the document describes every mounted endpoint, with 30 ways to misname', () => {
  expect(operations.map(({ id }) => id).sort()).toEqual(
    h.app.features.routes.map(({ id }) => id as string).sort(),
  );
  expect(Object.keys(PLACEMENTS)).toHaveLength(30);
});

test('the checks can fail: the owner reads the marker, and a change of one row shows', async () => {
  const { owner } = world;
  const leaks = await h.call('GET /users/{user_id}', {
    as: owner,
    params: { user_id: owner.user_id },
  });
  expect(JSON.stringify(leaks)).toContain(MARK);
  const before = await standingOf(h, owner);
  const changed = (phone: string) =>
    h.db.updateTable('users').set({ phone }).where('user_id', '=', owner.user_id).execute();
  await changed('+15557770002');
  expect(await standingOf(h, owner)).not.toBe(before);
  await changed('+15557770001');
});

const DOOR = new Set(['API_KEY_MISSING', 'API_KEY_INVALID', 'TOKEN_MISSING', 'TOKEN_INVALID']);

test.each(each)(
  '%s lets in no caller without what the document asks for',
  async (_id, operation) => {
    const { needs } = operation;
    const empty = inPlace(operation, { ...idsOf(stranger), foreign: {} });
    const knock = async (credentials: Credentials) => {
      const { status, body } = await call(operation, empty, credentials);
      expect(isFault(status, body), JSON.stringify(body)).toBe(false);
      return status === 401 && DOOR.has(codeOf(body) ?? '') ? 401 : Math.min(status, 400);
    };
    if (needs.key || needs.token) expect(await knock({})).toBe(401);
    if (needs.key) expect(await knock({ key: 'ak_bad', token: stranger.token })).toBe(401);
    if (!needs.token) return;
    for (const token of [undefined, 'a.b.c'])
      expect(await knock({ key: h.key, ...(token && { token }) })).toBe(401);
    // A log-in of one of the two audiences opens it, and one of the other does not.
    const audiences = [await freshToken(own), world.member.token];
    const answers = [];
    for (const token of audiences) answers.push(await knock({ key: h.key, token }));
    expect(answers.filter((status) => status === 401)).toHaveLength(1);
  },
);

test.each(each)('%s shows and changes nothing of another user’s', async (_id, operation) => {
  const before = await standingOf(h, world.owner);
  const leaks: string[] = [];
  for (const [who, person, ways] of [
    ['an admin of another client', own, Object.keys(PLACEMENTS)],
    ['another user of the client', peer, FEW],
    ['a user of another client', stranger, FEW],
  ] as const) {
    const token = await freshToken(person);
    const sent = new Set<string>();
    for (const way of ways) {
      const placed = PLACEMENTS[way]?.(operation, idsOf(person));
      if (!placed) throw new Error(`No placement is called ${way}`);
      // Without a body, or an id in the address, many ways are the same.
      const whole = JSON.stringify(placed);
      if (sent.has(whole)) continue;
      sent.add(whole);
      const { status, text, body } = await call(operation, placed, { key: h.key, token });
      const what = `${who}, ${way}: ${status} ${text.slice(0, 300)}`;
      expect(isFault(status, body), what).toBe(false);
      expect(text.includes(MARK), what).toBe(false);
      if (status < 400) leaks.push(what);
    }
  }
  expect(await standingOf(h, world.owner), leaks.join('\n')).toBe(before);
});

/** For callers with fewer rights than an admin. */
const FEW = [
  'in its place',
  'as text',
  'in the query after',
  'in the body besides',
  'in the body after the own',
  'in the body’s prototype',
];

test.each(each.filter(([, { params }]) => params.size > 0))(
  '%s answers for what is somebody else’s as for what there is not',
  async (_id, operation) => {
    const known = [...operation.params.keys()].filter((name) => name in world.foreign);
    if (known.length === 0) return;
    const missing = Object.fromEntries(
      Object.entries(world.foreign).map(([name, value]) => [name, unknownLike(value)]),
    );
    // Of both, since a short id may be part of any text.
    const ids = [...Object.values(world.foreign), ...Object.values(missing)];
    const answer = async (foreign: Ids['foreign']) => {
      const token = await freshToken(own);
      const placed = inPlace(operation, { ...idsOf(own), foreign });
      const { status, text } = await call(operation, placed, { key: h.key, token });
      return [status, neutral(text, ids)];
    };
    expect(await answer(world.foreign)).toEqual(await answer(missing));
  },
);

/** An unused id of the same form. */
const unknownLike = (id: string | number): string | number =>
  typeof id === 'number' || /^\d+$/.test(id)
    ? 2_000_000_001
    : id.replace(/[0-9a-f](?=[0-9a-f]*$)/i, (c) => (c === '0' ? '1' : '0'));

/** Without the parts that differ between any two answers. */
function neutral(text: string, ids: readonly (string | number)[]): string {
  // First, since an address of ours may hold the digits of an id.
  const same = text.replace(
    /"(?:request_id|timestamp|doc_url)":"[^"]*"|Request <code>[^<]*<\/code>/g,
    '',
  );
  const plain = ids.reduce<string>((all, id) => all.replaceAll(String(id), '<id>'), same);
  return plain.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
}
