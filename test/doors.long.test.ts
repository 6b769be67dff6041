// Long: every kind of caller calls every endpoint.

import { expect, test } from 'vitest';
import { operatorOnly } from '#kernel/access/tenant-scope.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { type CallOptions, harness, type Person } from '#test/harness.ts';

/**
 * Every endpoint, called by every kind of caller. Parameters name nothing that exists and bodies are empty, so an
 * accepted caller gets a 4xx of the handler and changes nothing.
 */
const h = await harness();

const [user, admin, operator] = [
  await h.user(),
  await h.user({ role: 'admin' }),
  await h.operator(),
];

/** With new log-ins for each endpoint: some of them end the session they are called with. */
async function callers(): Promise<Record<string, CallOptions>> {
  const again = async ({ user_id }: Person): Promise<CallOptions> => ({
    as: await h.kernel.sessions.open(h.db, { user_id, method: 'password' }),
  });
  return {
    nobody: { as: 'nobody' },
    'a bad key': { key: 'ak_bad' },
    'a bad key and a good token': { key: 'ak_bad', ...(await again(user)) },
    'a key alone': {},
    'a key and nonsense': { as: { token: 'a.b.c' } },
    'a user': await again(user),
    'an admin': await again(admin),
    'the operator': await again(operator),
    'a rewards user': { as: await rewardsUser() },
  };
}

/** The refusal of authentication, or nothing where the caller is accepted. */
const DOOR: Record<Route['endpoint']['auth'], Record<string, string>> = {
  public: {},
  key: {
    nobody: 'API_KEY_MISSING',
    'a bad key': 'API_KEY_INVALID',
    'a bad key and a good token': 'API_KEY_INVALID',
  },
  user: {
    nobody: 'API_KEY_MISSING',
    'a bad key': 'API_KEY_INVALID',
    'a bad key and a good token': 'API_KEY_INVALID',
    'a key alone': 'TOKEN_MISSING',
    'a key and nonsense': 'TOKEN_INVALID',
    'a rewards user': 'TOKEN_INVALID',
  },
  admin: {
    nobody: 'API_KEY_MISSING',
    'a bad key': 'API_KEY_INVALID',
    'a bad key and a good token': 'API_KEY_INVALID',
    'a key alone': 'TOKEN_MISSING',
    'a key and nonsense': 'TOKEN_INVALID',
    'a user': 'FORBIDDEN',
    'a rewards user': 'TOKEN_INVALID',
  },
  either: {
    nobody: 'API_KEY_MISSING',
    'a bad key': 'API_KEY_INVALID',
    'a bad key and a good token': 'API_KEY_INVALID',
    'a key alone': 'FORBIDDEN',
    'a key and nonsense': 'TOKEN_INVALID',
    'a rewards user': 'TOKEN_INVALID',
  },
  rewards: {
    nobody: 'API_KEY_MISSING',
    'a bad key': 'API_KEY_INVALID',
    'a bad key and a good token': 'API_KEY_INVALID',
    'a key alone': 'TOKEN_MISSING',
    'a key and nonsense': 'TOKEN_INVALID',
    'a user': 'TOKEN_INVALID',
    'an admin': 'TOKEN_INVALID',
    'the operator': 'TOKEN_INVALID',
  },
};
const DOOR_CODES = new Set(Object.values(DOOR).flatMap((said) => Object.values(said)));

test.each(h.app.features.routes.map((route) => [route.id, route] as const))(
  '%s opens to whom the contract says',
  async (_id, route) => {
    const said: Record<string, string | undefined> = {};
    for (const [name, caller] of Object.entries(await callers())) {
      const { status, body } = await h.send(route.id, { ...knock(route), ...caller });
      expect(status, `${name}: ${JSON.stringify(body)}`).not.toBe(500);
      const code = codeOf(body);
      if (code !== undefined && DOOR_CODES.has(code) && [401, 403].includes(status))
        said[name] = code;
    }
    const expected = { ...DOOR[route.endpoint.auth] };
    // Their bodies lack everything: a validation error would mean that authentication came too late.
    // What everybody may read takes a log-in only to show the caller's own thing beside it.
    if (route.endpoint.auth === 'either' && route.endpoint.permit === undefined)
      delete expected['a key alone'];
    if (route.endpoint.permit === operatorOnly) expected['an admin'] = 'FORBIDDEN';
    if (route.endpoint.keyOptional) {
      expected['nobody'] = 'TOKEN_MISSING';
    }
    if (route.endpoint.auth === 'admin' || route.endpoint.auth === 'public') {
      // A handler's answer to an accepted caller is not checked here.
      for (const name of Object.keys(said)) if (!(name in expected)) delete said[name];
    }
    for (const [name, code] of Object.entries(expected))
      expect([name, said[name]]).toEqual([name, code]);
  },
);

/** Parameters and query that no row has, and a body that lacks everything. */
function knock({ id, endpoint }: Route): CallOptions {
  const params = Object.fromEntries(
    [...id.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, '2000000000']),
  );
  return { params, ...(endpoint.body ? { body: {} } : {}) };
}

const codeOf = (body: { code?: string; error?: { code?: string }; error_code?: string }) =>
  body?.code ?? body?.error?.code ?? body?.error_code;

let phones = 0;
async function rewardsUser(): Promise<{ token: string }> {
  phones += 1;
  const phone = `+62812345${String(phones).padStart(5, '0')}`;
  const [, { token }] = await h.call('POST /xusers/login', { body: { phone } });
  return { token };
}
