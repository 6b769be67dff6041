import type { Mistake } from './world.ts';

const lost = { status: 404, code: 'NOT_FOUND', says: 'Not found' } as const;
const meant = (method: string, path: string) => new RegExp(`^Did you mean ${method} ${path}\\?$`);
const login = meant('POST', '/api/auth/login');
const wrong = { status: 400, code: 'VALIDATION_ERROR' } as const;

/** Requests to wrong addresses, and for other users' things. */
export const ADDRESSES: readonly Mistake[] = [
  {
    name: 'a path without /api',
    ask: () => ({ at: 'POST /auth/login', body: {} }),
    answer: { ...lost, hint: login },
  },
  {
    name: 'a path with a version',
    ask: () => ({ at: 'POST /api/v1/auth/login', body: {} }),
    answer: { ...lost, hint: login },
  },
  {
    name: 'a slash at the end',
    ask: () => ({ at: 'POST /api/auth/login/', body: {} }),
    answer: { ...lost, hint: login },
  },
  {
    name: 'two slashes, of a base address that ends with one',
    ask: () => ({ at: 'POST /api//auth/login', body: {} }),
    answer: { ...lost, hint: login },
  },
  {
    name: 'a per cent sign that encodes nothing',
    ask: () => ({ at: 'GET /api/wallets/fiat/100%/transactions' }),
    answer: { ...wrong, says: 'Address is not encoded correctly', hint: /^Write % itself as %25/ },
  },
  {
    name: 'a path in capitals',
    ask: () => ({ at: 'POST /api/Auth/Login', body: {} }),
    answer: { ...lost, hint: login },
  },
  {
    name: 'a singular for a plural',
    ask: () => ({ at: 'POST /api/wallet/fiat', body: {} }),
    answer: { ...lost, hint: meant('POST', '/api/wallets/fiat') },
  },
  {
    name: 'a path that was made up',
    ask: () => ({ at: 'POST /api/payment_intents', body: {} }),
    answer: { ...lost, hint: /There is no POST \/api\/payment_intents.*the reference lists it/ },
  },
  {
    name: 'GET for what is POST',
    ask: () => ({ at: 'GET /api/auth/login' }),
    answer: {
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
      says: 'Method not allowed',
      hint: /There is no GET here. Use POST\./,
    },
  },
  {
    name: 'a query parameter with a slip',
    ask: () => ({ at: 'GET /api/events?limti=5' }),
    answer: {
      ...wrong,
      says: /^Unknown query parameter limti: known are limit, /,
      field: 'limti',
      hint: /^Did you mean limit\?$/,
    },
  },
  {
    name: 'a query parameter of another API',
    ask: () => ({ at: 'GET /api/events?starting_after=evt_1' }),
    answer: {
      ...wrong,
      says: /known are .*before, after/,
      field: 'starting_after',
      hint: /the reference shows/,
    },
  },
  {
    name: 'the token in the address',
    ask: ({ user }) => ({ at: `GET /api/wallets/fiat/${user.user_id}?token=${user.token}` }),
    answer: { ...wrong, says: /Unknown query parameter token/, field: 'token', hint: /Correct/ },
  },
  {
    name: 'a page of too many rows',
    ask: () => ({ at: 'GET /api/events?limit=100000' }),
    answer: {
      ...wrong,
      says: /^limit must be a whole number from 1 to \d+$/,
      field: 'limit',
      hint: /Correct/,
    },
  },
  {
    name: 'a day in words',
    ask: () => ({ at: 'GET /api/events?from=yesterday' }),
    answer: {
      ...wrong,
      says: /^from must be .*such as 2026-01-31T/,
      field: 'from',
      hint: /Correct/,
    },
  },
  {
    name: 'a word for an id',
    ask: () => ({ at: 'GET /api/wallets/fiat/me' }),
    answer: {
      ...wrong,
      says: 'user_id must be a positive integer',
      field: 'user_id',
      hint: /Correct/,
    },
  },
  {
    name: 'a UUID that is none',
    ask: ({ adminToken }) => ({
      headers: { authorization: `Bearer ${adminToken}` },
      at: 'GET /api/webhook-endpoints/17',
    }),
    answer: {
      ...wrong,
      says: /^endpoint_id must be a UUID, such as /,
      field: 'endpoint_id',
      hint: /Correct/,
    },
  },
  {
    name: "another tenant's user",
    ask: ({ stranger }) => ({ at: `GET /api/wallets/fiat/${stranger.user_id}` }),
    answer: {
      status: 404,
      code: 'USER_NOT_FOUND',
      says: 'User not found',
      hint: /belongs to the user or client whose key and token you send/,
    },
  },
  {
    name: "another tenant's wallet",
    ask: ({ strangersWallet }) => ({ at: `GET /api/wallets/fiat/${strangersWallet}/transactions` }),
    answer: {
      status: 404,
      code: 'WALLET_NOT_FOUND',
      says: 'Wallet not found',
      hint: /belongs to the user or client/,
    },
  },
  {
    name: 'an event that there is not',
    ask: () => ({ at: 'GET /api/events/17' }),
    answer: {
      status: 404,
      code: 'NOT_FOUND',
      says: /no such event/,
      hint: /belongs to the user or client/,
    },
  },
];
