import { expect, test } from 'vitest';
import { rolesOf } from '#kernel/access/team.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { TEAM_ROLES, type TeamRole } from '#kernel/http/declare/team-mark.ts';
import { OWN_PAGE } from './console.ts';
import { harness, type Person } from './harness.ts';

/** Every endpoint, for every role of a team at every door. */
const h = await harness();
const { routes } = h.app.features;
const { client_id } = await h.client();
const subject = await h.user({ client_id });
const { wallet_id } = await h.db
  .selectFrom('fiat_wallets')
  .select('wallet_id')
  .where('user_id', '=', subject.user_id)
  .executeTakeFirstOrThrow();
const stranger = await h.user({ role: 'admin' });
const operator = await h.operator();

async function inRole(team_role: TeamRole, of: number): Promise<Person & { key: string }> {
  const person = await h.user({ role: 'admin', client_id: of });
  const { user_id } = person;
  await h.db.updateTable('users').set({ team_role }).where('user_id', '=', user_id).execute();
  return { ...person, key: await h.apiKey({ client_id: of, user_id }) };
}
const people = new Map<TeamRole, Person & { key: string }>();
const operators = new Map<TeamRole, Person>();
for (const role of TEAM_ROLES) {
  people.set(role, await inRole(role, client_id));
  operators.set(role, await inRole(role, 1));
}

const NOT_YOURS = /^(Your role in the team|The maker of the API key is)/;
const LOG_IN: readonly string[] = ['admin', 'user', 'either'];
const asked = routes.filter(({ endpoint }) => LOG_IN.includes(endpoint.auth));
/** It has no end. */
const isStream = ({ endpoint }: Route) => endpoint.stream === true;
const opensTo = ({ endpoint }: Route, role: TeamRole) => rolesOf(endpoint.team).includes(role);

/** Names of the address mean the subject's things, where there is one; nothing has the others. */
const paramsOf = ({ id }: Route) =>
  Object.fromEntries(
    [...id.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [
      name,
      { user_id: subject.user_id, userId: subject.user_id, wallet_id }[name] ?? '2000000000',
    ]),
  );

interface Sent {
  readonly token?: string;
  readonly key?: string;
  readonly cookie?: string;
}

async function send(route: Route, { token, key, cookie }: Sent) {
  const { status, body } = await h.send(route.id, {
    ...(token === undefined ? {} : { as: { token } }),
    ...(key === undefined ? {} : { key }),
    ...(cookie !== undefined && { as: 'nobody', headers: { ...OWN_PAGE, cookie } }),
    params: paramsOf(route),
    ...(route.endpoint.body && !route.id.startsWith('GET ') ? { body: {} } : {}),
  });
  const error = typeof body?.error === 'string' ? body.error : body?.error?.message;
  return { status, isRefused: status === 403 && NOT_YOURS.test(error ?? body?.message ?? '') };
}

/** A log-in of its own, since some endpoints end it. */
const tokenOf = async ({ user_id }: Person) =>
  (await h.kernel.sessions.open(h.db, { user_id, method: 'password' })).token;

test('each endpoint for admins says what it asks of their role', () => {
  const unsaid = routes.filter(
    ({ endpoint }) => endpoint.auth === 'admin' && endpoint.team === undefined,
  );
  expect(unsaid.map(({ id }) => id)).toEqual([]);
});

test('each role may less than an owner, and none may do what has no mark', () => {
  for (const { endpoint } of asked) expect(rolesOf(endpoint.team)).toContain('owner');
  expect(rolesOf(undefined)).toEqual(['owner']);
  const counts = TEAM_ROLES.map((role) => asked.filter((route) => opensTo(route, role)).length);
  const [owner = 0, ...others] = counts;
  expect(owner).toBe(asked.length);
  for (const count of others) expect(count).toBeLessThan(owner);
});

test('no role but the owner’s reaches the team, settings or decisions about people', () => {
  const reaching = asked.filter(({ endpoint }) =>
    /^(team|settings:write|people:approve)/.test(endpoint.team ?? ''),
  );
  expect(reaching.length).toBeGreaterThan(10);
  for (const { endpoint } of reaching) expect(rolesOf(endpoint.team)).toEqual(['owner']);
});

test.each(asked.map((one) => [one.id, one] as const))(
  '%s opens to the roles that it says, by log-in and by key',
  async (_, route) => {
    for (const role of TEAM_ROLES) {
      const person = people.get(role);
      if (!person) throw new Error(`Nobody is ${role}`);
      if (opensTo(route, role) && isStream(route)) continue;
      const byToken = await send(route, { token: await tokenOf(person) });
      expect([role, byToken.isRefused]).toEqual([role, !opensTo(route, role)]);
      expect([role, byToken.status]).not.toEqual([role, 401]);
      // A user's own log-in does not widen what the maker of the key may.
      const byKey = await send(route, { token: await tokenOf(subject), key: person.key });
      expect([role, byKey.isRefused]).toEqual([role, !opensTo(route, role)]);
    }
  },
);

test.each(asked.filter((one) => !isStream(one)).map((one) => [one.id, one] as const))(
  '%s asks for a log-in, and shows another client’s owner nothing',
  async (id, route) => {
    const { auth } = route.endpoint;
    if (auth !== 'either') expect((await send(route, {})).status).toBe(401);
    const isOfSubject = /^GET .*\{(user_id|userId|wallet_id)\}/.test(id);
    const foreign = await send(route, { token: await tokenOf(stranger) });
    if (isOfSubject) expect([id, foreign.status]).not.toEqual([id, 200]);
    expect(foreign.isRefused).toBe(false);
    expect((await send(route, { token: await tokenOf(operator) })).isRefused).toBe(false);
  },
);

test.each(
  routes.filter(({ endpoint }) => endpoint.auth === 'key').map((one) => [one.id, one] as const),
)('%s opens to keys whose makers have the roles that it says', async (_, route) => {
  for (const role of TEAM_ROLES) {
    const { key = '' } = people.get(role) ?? {};
    expect([role, (await send(route, { key })).isRefused]).toEqual([role, !opensTo(route, role)]);
  }
});

test.each(
  asked
    .filter(({ endpoint }) => endpoint.auth === 'admin' && endpoint.console !== false)
    .map((one) => [one.id, one] as const),
)('%s opens to the console’s cookie by the same roles', async (_, route) => {
  for (const [role, { user_id }] of operators) {
    const opened = { user_id, method: 'console', console: true } as const;
    const { token } = await h.kernel.sessions.open(h.db, opened);
    const { isRefused } = await send(route, { cookie: `archipay-console=${token}` });
    expect([role, isRefused]).toEqual([role, !opensTo(route, role)]);
  }
});
