import { expect, test } from 'vitest';
import type { UserCaller } from '../http/route.ts';
import { clientReachOf, mayActFor, reachOf, reachOfKey } from './tenancy.ts';

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

test('a user reaches oneself, an admin the own client, the operator everybody', () => {
  expect([user, admin, operator].map(reachOf)).toEqual([{ user_id: 7 }, { client_id: 3 }, {}]);
  expect([admin, operator].map(clientReachOf)).toEqual([3, undefined]);
});

test.each([
  ['oneself', { user_id: 7, client_id: 3 }, [true, true, true]],
  ['somebody of the same client', { user_id: 8, client_id: 3 }, [false, true, true]],
  ['somebody of another client', { user_id: 8, client_id: 4 }, [false, false, true]],
])('who may act for %s', (_whom, target, allowed) => {
  expect([user, admin, operator].map((who) => mayActFor(who, target))).toEqual(allowed);
});

test('a key that somebody made reaches their client; the operator’s and an application’s, everybody', () => {
  const key = { key_id: 1, scopes: ['*'] };
  expect(reachOfKey({ ...key, user_id: 7, client_id: 3 })).toEqual({ client_id: 3 });
  expect(reachOfKey({ ...key, user_id: 9, client_id: 1 })).toEqual({});
  expect(reachOfKey({ ...key, user_id: null, client_id: 2 })).toEqual({});
  expect(reachOfKey({ ...key, user_id: null, client_id: null })).toEqual({});
});
