import type { Mistake, MistakenRequest } from './world.ts';

const open = { at: 'POST /api/wallets/fiat', body: { currency: 'USD' } } as const;
const with_ = (headers: MistakenRequest['headers'] & object): MistakenRequest => ({
  ...open,
  headers,
});
const noKey = { status: 401, code: 'API_KEY_MISSING', says: 'API key is missing' } as const;
const badKey = { status: 401, code: 'API_KEY_INVALID', says: 'API key is invalid' } as const;
const badToken = { status: 401, code: 'TOKEN_INVALID', says: 'Invalid token' } as const;

/** Keys and tokens in the wrong place. */
export const CREDENTIALS: readonly Mistake[] = [
  {
    name: 'no API key at all',
    ask: () => with_({ 'x-api-key': null }),
    answer: { ...noKey, hint: /in the header x-api-key/ },
  },
  {
    name: 'the API key as a Bearer token, as elsewhere',
    ask: ({ key }) => with_({ 'x-api-key': null, authorization: `Bearer ${key}` }),
    answer: { ...noKey, hint: /seems to hold the API key. Send that as x-api-key/ },
  },
  {
    name: 'the API key as the user of HTTP basic authentication',
    ask: () => with_({ 'x-api-key': null, authorization: 'Basic YWtfZGVtbzo=' }),
    answer: { ...noKey, hint: /Send that as x-api-key/ },
  },
  {
    name: 'the API key in a header of another name',
    ask: ({ key }) => with_({ 'x-api-key': null, 'api-key': key }),
    answer: { ...noKey, hint: /The header is x-api-key, not api-key/ },
  },
  {
    name: 'the API key with Bearer in front',
    ask: ({ key }) => with_({ 'x-api-key': `Bearer ${key}` }),
    answer: { ...badKey, hint: /takes the key alone/ },
  },
  {
    name: 'the token as API key',
    ask: ({ user }) => with_({ 'x-api-key': user.token }),
    answer: { ...badKey, hint: /holds a log-in token/ },
  },
  {
    name: 'an API key that is not one',
    ask: () => with_({ 'x-api-key': 'ak_copied_in_part' }),
    answer: { ...badKey, hint: /make a new key/ },
  },
  {
    name: 'no token',
    ask: () => with_({ authorization: null }),
    answer: {
      status: 401,
      code: 'TOKEN_MISSING',
      says: 'Authorization token is missing',
      hint: /POST \/auth\/login as Authorization: Bearer/,
    },
  },
  {
    name: 'the token without Bearer',
    ask: ({ user }) => with_({ authorization: user.token }),
    answer: { ...badToken, hint: /Put the word Bearer in front/ },
  },
  {
    name: 'the API key in both headers',
    ask: ({ key }) => with_({ authorization: `Bearer ${key}` }),
    answer: { ...badToken, hint: /Authorization holds an API key/ },
  },
  {
    name: 'half a token',
    ask: ({ user }) => with_({ authorization: `Bearer ${user.token.slice(0, 60)}` }),
    answer: { ...badToken, hint: /with a token of POST \/auth\/login/ },
  },
  {
    name: 'a token of yesterday',
    ask: ({ expiredToken }) => with_({ authorization: `Bearer ${expiredToken}` }),
    answer: { status: 401, code: 'TOKEN_EXPIRED', says: 'Token has expired', hint: /Log in again/ },
  },
  {
    name: "a platform token at the rewards app's endpoints",
    ask: () => ({ at: 'GET /api/xprofiles/getme' }),
    answer: { ...badToken, hint: /log-ins of its own: POST \/xusers\/login/ },
  },
  {
    name: 'a token of the rewards app at the platform',
    ask: ({ memberToken }) => with_({ authorization: `Bearer ${memberToken}` }),
    answer: { ...badToken, hint: /one of the rewards app. Log in by POST \/auth\/login/ },
  },
  {
    name: "a user at an admin's endpoint",
    ask: () => ({ at: 'GET /api/admins/audit' }),
    answer: {
      status: 403,
      code: 'FORBIDDEN',
      says: /Admin access required/,
      hint: /a user with the role/,
    },
  },
  {
    name: 'a wrong password',
    ask: ({ user }) => ({
      at: 'POST /api/auth/login',
      body: { usernameoremail: user.email, password: 'password' },
    }),
    answer: {
      status: 401,
      code: 'INVALID_CREDENTIALS',
      says: 'Invalid credentials',
      hint: /Check both/,
    },
  },
];
