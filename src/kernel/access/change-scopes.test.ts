import { expect, test } from 'vitest';
import type { ApiKey } from '../http/declare/api-key.ts';
import type { Auth, Caller } from '../http/declare/route.ts';
import { changeScopesOf } from './change-scopes.ts';

const keyOf = (key_id: number, client_id: number | null): ApiKey => ({
  key_id,
  client_id,
  user_id: null,
  scopes: ['*'],
});
const ANONYMOUS = keyOf(1, null);
const OTHER_ANONYMOUS = keyOf(2, null);
const keyOfSeven: Caller<Auth> = { key: keyOf(3, 7) };
const userOf = (
  user_id: number,
  client_id: number,
  over: { role?: 'admin'; key?: ApiKey } = {},
): Caller<Auth> => ({
  user_id,
  client_id,
  role: 'user',
  key: ANONYMOUS,
  session_id: '',
  ...over,
  operator: client_id === 1,
});
const ada = userOf(10, 7);
const bob = userOf(11, 7);
const admin = userOf(12, 7, { role: 'admin' });
const carol = userOf(20, 8);
const operator = userOf(30, 1, { role: 'admin' });
const member: Caller<Auth> = { key: keyOf(3, 7), userx_id: 10, session_id: '' };

const sees = (reader: Caller<Auth>, writer: Caller<Auth>): boolean =>
  changeScopesOf(writer).writes.some((mark) => changeScopesOf(reader).reads.includes(mark));

test.each([
  ['a user what he did', ada, ada],
  ['a user what his client’s key did', ada, keyOfSeven],
  ['a client’s key what its user did', keyOfSeven, ada],
  ['a client’s key what it did', keyOfSeven, keyOfSeven],
  ['a user what an admin of his client did', ada, admin],
  ['an admin what a user did', admin, ada],
  ['an admin what another did', admin, userOf(13, 7, { role: 'admin' })],
  ['everybody what the operator did', carol, operator],
  ['nobody in particular what the operator did', null, operator],
  ['the operator what he did', operator, operator],
  ['a member what he did', member, member],
  ['a member what his application did', member, keyOfSeven],
  ['an application what its member did', keyOfSeven, member],
  ['a user what was done with the key he comes with', ada, { key: ANONYMOUS }],
])('%s is seen at once', (_who, reader, writer) => {
  expect(sees(reader, writer)).toBe(true);
});

test.each([
  ['another user’s', bob, ada],
  ['another client’s', carol, admin],
  ['another key’s', ada, { key: OTHER_ANONYMOUS }],
  ['one’s of the same number', ada, member],
  ['another’s with the same key', { key: ANONYMOUS }, ada],
] satisfies [string, Caller<Auth>, Caller<Auth>][])(
  '%s changes keep nobody from the replica',
  (_whose, reader, writer) => {
    expect(sees(reader, writer)).toBe(false);
  },
);
