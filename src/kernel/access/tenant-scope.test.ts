import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import type { UserCaller } from '../http/declare/route.ts';
import {
  clientScopeOf,
  requireUser,
  type TenantScope,
  tenantScopeOf,
  tenantScopeOfKey,
  userInScope,
} from './tenant-scope.ts';

const h = await harness();

const caller = (fields: Partial<UserCaller>): UserCaller => ({
  key: null,
  user_id: 7,
  client_id: 3,
  role: 'user',
  operator: false,
  session_id: '',
  ...fields,
});
const user = caller({});
const admin = caller({ role: 'admin' });
const operator = caller({ role: 'admin', client_id: 1, operator: true });

test('the scope of a user is the user, of an admin the client, of the operator all', () => {
  expect([user, admin, operator].map(tenantScopeOf)).toEqual([
    { user_id: 7 },
    { client_id: 3 },
    {},
  ]);
  expect([admin, operator].map(clientScopeOf)).toEqual([3, undefined]);
});

test('a user outside the scope does not exist for the caller', async () => {
  const { client_id: own } = await h.client();
  const [oneself, sibling] = [await h.user({ client_id: own }), await h.user({ client_id: own })];
  const stranger = await h.user({ client_id: (await h.client()).client_id });
  const found = async (reach: TenantScope) => {
    const users = await Promise.all(
      [oneself, sibling, stranger].map(({ user_id }) => userInScope(h.db, reach, user_id)),
    );
    return users.map((user) => user !== undefined);
  };
  expect(await found({ user_id: oneself.user_id })).toEqual([true, false, false]);
  expect(await found({ client_id: oneself.client_id })).toEqual([true, true, false]);
  expect(await found({ user_id: sibling.user_id, client_id: stranger.client_id })).toEqual([
    false,
    false,
    false,
  ]);
  expect(await found({})).toEqual([true, true, true]);
  await expect(requireUser(h.db, { user_id: oneself.user_id }, sibling.user_id)).rejects.toThrow(
    'User not found',
  );
  expect(await requireUser(h.db, {}, stranger.user_id)).toMatchObject({ email: stranger.email });
});

test('the scope of a user’s key is the user’s client; of the operator’s and an application’s, all', () => {
  const key = { key_id: 1, scopes: ['*'] };
  expect(tenantScopeOfKey({ ...key, user_id: 7, client_id: 3 })).toEqual({ client_id: 3 });
  expect(tenantScopeOfKey({ ...key, user_id: 9, client_id: 1 })).toEqual({});
  expect(tenantScopeOfKey({ ...key, user_id: null, client_id: 2 })).toEqual({});
  expect(tenantScopeOfKey({ ...key, user_id: null, client_id: null })).toEqual({});
});
