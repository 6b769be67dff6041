import type { Mistake, MistakenRequest } from './world.ts';

const open = { at: 'POST /api/wallets/fiat' } as const;
const wrong = { status: 400, code: 'VALIDATION_ERROR' } as const;
const garbled = { status: 400, code: 'MALFORMED_JSON', says: 'Body is not valid JSON' } as const;
const lacking = { ...wrong, says: 'Missing required fields: currency', field: 'currency' } as const;
const client = (fields: object): MistakenRequest => ({
  at: 'POST /api/clients/create_with_admin',
  body: {
    email: 'ada@example.test',
    client_alias: 'Ada & Co',
    client_type: 'BUSINESS',
    country_code: 'US',
    phone: '+12025550100',
    ...fields,
  },
});

/** Missing and wrong bodies. */
export const BODIES: readonly Mistake[] = [
  {
    name: 'a comma too many',
    ask: () => ({ ...open, body: '{"currency": "USD",}' }),
    answer: { ...garbled, hint: /breaks off at line 1 column 20: look there for a comma too many/ },
  },
  {
    name: 'single quotes',
    ask: () => ({ ...open, body: "{'currency': 'USD'}" }),
    answer: { ...garbled, hint: /line 1 column 2: .* quotes that are not "/ },
  },
  {
    name: 'a body that was cut off',
    ask: () => ({ ...open, body: '{"currency": "US' }),
    answer: { ...garbled, hint: /line 1 column 17: .*missing/ },
  },
  {
    name: 'a form instead of JSON',
    ask: () => ({
      ...open,
      body: 'currency=USD',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }),
    answer: {
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
      says: 'Content-Type must be application/json',
      hint: /neither forms nor plain text/,
    },
  },
  {
    name: 'JSON that is called plain text',
    ask: () => ({ ...open, body: '{"currency":"USD"}', headers: { 'content-type': 'text/plain' } }),
    answer: {
      status: 415,
      code: 'UNSUPPORTED_MEDIA_TYPE',
      says: 'Content-Type must be application/json',
      hint: /Content-Type: application\/json/,
    },
  },
  {
    name: 'no body',
    ask: () => open,
    answer: { ...lacking, hint: /Correct what the message and details name/ },
  },
  {
    name: 'a list for an object',
    ask: () => ({ ...open, body: ['USD'] }),
    answer: { ...wrong, says: 'body must be object', field: 'body', hint: /Correct/ },
  },
  {
    name: 'the fields in an object of their own',
    ask: () => ({ ...open, body: { data: { currency: 'USD' } } }),
    answer: { ...lacking, hint: /^Not known here: data. The endpoint takes .*currency/ },
  },
  {
    name: 'a required field with a slip',
    ask: () => ({ ...open, body: { curency: 'USD' } }),
    answer: { ...lacking, hint: /^Not known here: curency. Did you mean currency\?$/ },
  },
  {
    name: 'a field in another style',
    ask: () => ({
      ...client({ country_code: undefined, countryCode: 'US' }),
    }),
    answer: {
      ...wrong,
      says: 'Missing required fields: country_code',
      field: 'country_code',
      hint: /countryCode. Did you mean country_code\?$/,
    },
  },
  {
    name: 'a field by the name that it has elsewhere',
    ask: () => ({ at: 'POST /api/auth/login', body: { email: 'a@b.test', password: 'x' } }),
    answer: {
      ...wrong,
      says: 'Username or email and password are required',
      field: 'usernameoremail',
      hint: /^Not known here: email. The endpoint takes usernameoremail, password\.$/,
    },
  },
  {
    name: 'an e-mail address that is none',
    ask: () => client({ email: 'ada' }),
    answer: {
      ...wrong,
      says: 'email must be an e-mail address',
      field: 'email',
      hint: /Correct/,
    },
  },
  {
    name: 'a country in three letters',
    ask: () => client({ country_code: 'USA' }),
    answer: {
      ...wrong,
      says: /^country_code .*alpha-2, such as US$/,
      field: 'country_code',
      hint: /Correct/,
    },
  },
  {
    name: 'a country that is not served',
    ask: () => client({ country_code: 'FR' }),
    answer: {
      status: 400,
      code: 'NO_PSP_FOR_COUNTRY',
      says: 'No PSP available for country FR',
      hint: /GET \/users\/countries/,
    },
  },
  {
    name: 'half a phone number',
    ask: () => client({ phone: '555' }),
    answer: { ...wrong, says: 'Phone number is not valid', field: 'phone', hint: /12025550100/ },
  },
  {
    name: 'an empty text',
    ask: () => client({ client_type: '' }),
    answer: {
      ...wrong,
      says: 'Missing required fields: client_type',
      field: 'client_type',
      hint: /Correct/,
    },
  },
  {
    name: 'a body that is too large',
    ask: () => ({ ...open, body: { currency: 'x'.repeat(70_000) } }),
    answer: {
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
      says: 'Body is too large',
      hint: /at most 64 KiB/,
    },
  },
  {
    name: 'an address without https://',
    ask: ({ adminToken }) => ({
      headers: { authorization: `Bearer ${adminToken}` },
      at: 'POST /api/webhook-endpoints',
      body: { url: 'example.com/hook', types: ['*'] },
    }),
    answer: { ...wrong, says: /^url /, hint: /Correct/ },
  },
];
