import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Code } from '#kernel/error.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import { type Body, harness } from './harness.ts';
import { someId } from './some-id.ts';

/** Endpoints that move money refuse unknown fields before they act. */
const h = await harness();
const { routes } = h.app.features;
const operator = await h.operator();
const document: Body = await (await fetch(`${h.kernel.publicUrl()}/openapi.json`)).json();

const changing = routes.filter(
  ({ id, endpoint }) => !id.startsWith('GET ') && endpoint.signed === undefined,
);
const moving = changing.filter(({ endpoint }) => endpoint.movesMoney);

/** Endpoints that move no money: accounts, keys, settings, words. A new one declares that it moves money, or is listed here. */
const MOVE_NOTHING: Readonly<Record<string, string>> = {
  adjustments: 'reject withdraw',
  admins: 'approveKyc createUser letUserIn moveAddress removeSecondFactor stopUser',
  approvals: 'approve reject',
  auth: 'completeLogIn logIn',
  balanceMonitors: 'create delete',
  bankLink: 'createToken exchangeToken linkAccount removeItem unlink',
  batches: 'setMetadata',
  bridge: 'changeRoute setMetadata',
  callbacks: 'receiveCard receivePayment receiveTransfer',
  cardDisputes: 'setMetadata',
  cards: 'validate validateForCurrency',
  checkout: 'cancel pay',
  clients: 'create letIn stop',
  console: 'completeSignIn prove signIn signOut',
  crosschain: 'testMint',
  cryptoWallets: 'addAddress create delete',
  decisionWebhook: 'delete',
  events: 'resend',
  exchangeWallets: 'delete',
  externalLogin: 'disconnect link linkWallet logIn',
  feeSettings: 'set',
  fiatWallets: 'freeze open unfreeze',
  files: 'delete send',
  fx: 'cancelQuote setMetadata',
  gatewaySettings: 'makeSecret replace',
  idrTokens: 'removeBank',
  instances: 'create delete rename',
  invoicePayments: 'cancel',
  invoices: 'cancel setMetadata',
  issuedCards: 'activate close freeze reveal setMetadata setPin unfreeze',
  keys: 'create delete generate limit rotate',
  marketplace: 'chat search',
  mcp: 'call',
  mobile: 'completeLogIn deleteDevice logIn logOut refresh requestCode updateDevice',
  oauth: 'authorize endGrant register revoke token',
  onchain: 'record',
  partnerCustomers: 'create',
  socialbot: 'confirmLink rejectLink start unlink',
  passkeys: 'beginLogIn create delete getRegistrationOptions logIn update',
  password: 'requestReset requestWithoutKey reset',
  paymentRequests: 'cancel decline setMetadata',
  paymentLinks: 'press setMetadata',
  payments: 'setMetadata',
  policies: 'backtest create delete publish retire setMetadata simulate update',
  profile:
    'cancelClosing changeEmail changePassword changePhone close confirmEmail confirmPhone export undoEmail update',
  purchases: 'listChains quote readPage readWish',
  recipients: 'delete setMetadata verify',
  reconciliation: 'explainBreak',
  rewards:
    'addInviter claimSocial claimUsername confirmEmail deleteAccount logIn requestCode syncContacts verifyCode verifyEmail',
  sessions: 'end endOthers prove',
  stepUp: 'prove',
  testnet: 'give',
  team: 'accept invite remove revokeInvitation setRole',
  tokens: 'import',
  twoFactor: 'disable enable listBackupCodes setUp verifyLogIn',
  users:
    'acceptTerms cancelChange confirmAddress confirmChange logOut reportVerification requestCode resendConfirmation updateProfile',
  verification:
    'changeLevel createCompanyLink createCompanyToken createLink createToken syncStatus',
  walletHolds: 'setMetadata',
  walletProofs: 'challenge prove remove',
  walletTransfers: 'setMetadata',
  webhookEndpoints: 'create delete pause replay resume revealSecret rotateSecret test update',
  withdrawals: 'setMetadata',
};
const harmless = Object.entries(MOVE_NOTHING).flatMap(([area, names]) =>
  names.split(' ').map((name) => `${area}.${name}`),
);

/** Of those that move none: queries to a card network or a shop. */
const ASKS_ONLY = ['cards.validate', 'cards.validateForCurrency', 'purchases.quote'];

/** An endpoint with one of these refusals moves money. */
const OF_MONEY: readonly Code[] = [
  'INSUFFICIENT_BALANCE',
  'INSUFFICIENT_FUNDS',
  'AMOUNT_BELOW_MINIMUM',
  'DEBT_OUTSTANDING',
  'WALLET_FROZEN',
  'CARD_DECLINED',
  'PRICE_CHANGED',
  'NOT_REVERSIBLE',
  'RECONCILIATION_FAILED',
];

test('each endpoint that changes something declares that it moves money, or is listed', () => {
  const others = changing.filter(({ endpoint }) => !endpoint.movesMoney);
  expect(others.map(({ endpoint }) => endpoint.name).sort()).toEqual(harmless.sort());
});

test('an endpoint with a refusal about money or amounts declares that it moves money', () => {
  const refused = changing.filter(({ endpoint: { errors = [] } }) =>
    errors.some((error) => OF_MONEY.some((code) => error.endsWith(code))),
  );
  expect(refused.length).toBeGreaterThan(15);
  const open = refused.filter(({ endpoint }) => !endpoint.movesMoney);
  expect(open.map(({ endpoint }) => endpoint.name).sort()).toEqual(ASKS_ONLY);
});

const bodyOf = ({ id }: Route): Body => {
  const [method = '', path = ''] = id.split(' ');
  return document.paths[path][method.toLowerCase()].requestBody?.content['application/json'];
};
const request = ({ id, endpoint }: Route, body: Body) => {
  const named = [...id.matchAll(/\{(\w+)\}/g)].map(([, name = '']): [string, string] => [
    name,
    someId({ endpoint }, name),
  ]);
  // Where one is required.
  const headers = { 'idempotency-key': randomUUID() };
  return h.call(id, { as: operator, params: Object.fromEntries(named), body, headers });
};
const codeIn = (answer: Body) => answer.error_code ?? answer.code ?? answer.error?.code;

test.each(moving.map((route) => [route.endpoint.name, route] as const))(
  '%s refuses a field that it does not know, and names those that it does',
  async (_, route) => {
    const example = bodyOf(route)?.example ?? {};
    const [status, answer] = await request(route, { ...example, surprise: 1 });
    // Some answer people, by a page.
    if (typeof answer === 'string') {
      expect([status, answer]).toEqual([400, expect.stringContaining('UNKNOWN_FIELD')]);
      return;
    }
    expect([status, codeIn(answer)], JSON.stringify(answer)).toEqual([400, 'UNKNOWN_FIELD']);
    const { details, hint } = answer.error?.code ? answer.error : answer;
    expect(details ?? answer.error).toEqual([{ field: 'surprise', message: 'is not known here' }]);
    const { properties = {} } = (route.endpoint.body ?? {}) as { properties?: object };
    for (const name of Object.keys(properties).slice(0, 10)) expect(hint).toContain(name);
  },
);

/** The fields of their bodies that the contract names, required or not. */
const OF_THE_CONTRACT: Readonly<Record<string, string>> = {
  'cards.topUp': 'card_number expiry_date cvv amount currency_code',
  'cards.topUpCurrency': 'card_number expiry_date cvv amount currency_code',
  'cards.refund': 'amount currency_code card_number expiry_date cvv reference_id',
  'cards.push': 'amount currency_code card_number recipient_name',
  'xrpl.buy': 'currency_code amount fiat_currency fiat_amount',
  'xrpl.sell':
    'currency_code amount usdc_amount destination_address target_fiat payout_type destination_bank receiver_user_id receiver_currency wallet_id',
  'idrTokens.buy': 'amount paymentMethod walletAddress',
  'idrTokens.redeem': 'burnTxHash amount bankId walletAddress',
  'idrTokens.refund': 'transactionType transactionId reason',
  'idrTokens.addBank': 'bankName bankCode accountNumber accountName isPrimary',
  'cardano.cardToWallet': 'user_id wallet_to_id fiat_amount currency_from currency_to cardNumber',
  'cardano.walletToBank': 'user_id wallet_from_id fiat_amount currency_from currency_to',
  'cardano.cardToBank': 'user_id fiat_amount currency_from currency_to cardNumber',
  'cardano.walletToWallet':
    'user_id wallet_from_id wallet_to_id fiat_amount currency_from currency_to',
  'cardano.cardToAddress': 'user_id fiat_amount currency_from user_wallet_address cardNumber',
  'cardano.walletToAddress': 'user_id wallet_from_id fiat_amount currency_from user_wallet_address',
  'exchangeWallets.save': 'wallet_address network set_as_primary',
  'conversions.start': 'wallet_id amount_idr',
  'onchain.send': 'wallet_address chain_id token_symbol token_contract to_address amount decimals',
  'crosschain.initiate':
    'user_id amount from_chain to_chain token recipient_address return_address',
  'crosschain.confirm': 'log_id tx_hash status',
  'crosschain.mint': 'nonce',
  'crosschain.burn': 'log_id nonce mode tx_hash',
  'crosschain.burnWithKey': 'log_id nonce private_key',
  'purchases.order': 'product pricing recipient selected_chain wallet_address',
  'purchases.orderOnChain': 'product pricing recipient selected_chain wallet_address',
  'purchases.execute': 'order_id confirmation selected_chain wallet_address',
  'marketplace.order': 'product recipient wallet_address chain_id',
  'bankLink.topUp': 'wallet_id amount currency',
  'bankLink.advanceTransfer': 'transfer_id event_type',
  'bankLink.completePayment': 'payment_id',
  'agent.process': 'user_input user_id context',
};

test('each endpoint knows the contract’s fields', () => {
  for (const [name, fields] of Object.entries(OF_THE_CONTRACT)) {
    const { properties = {} } = (moving.find(({ endpoint }) => endpoint.name === name)?.endpoint
      .body ?? {}) as { properties?: object };
    expect(Object.keys(properties), name).toEqual(expect.arrayContaining(fields.split(' ')));
  }
});

test('a product and its pricing are accepted as earlier answers have them', () => {
  const within = ({ content }: Body, part: string): string[] =>
    fieldsAt(deref(content['application/json'].schema).properties[part]);
  const places = (path: string, part: string) =>
    within(document.paths[path].post.requestBody, part);
  const answered = (part: string) =>
    within(document.paths['/mcp/step3a'].post.responses[200], part);
  for (const order of ['/mcp/create-order', '/mcp/v2/create-order'])
    for (const part of ['product', 'pricing'])
      expect(places(order, part)).toEqual(expect.arrayContaining(answered(part)));
  const { items } = deref(
    document.paths['/marketplace/search'].post.responses[200].content['application/json'].schema,
  ).properties.products;
  const known = places('/marketplace/orders', 'product');
  const answer = fieldsAt(items).filter((place) => !place.startsWith('metadata.'));
  expect(known).toEqual(expect.arrayContaining(answer));
});

const deref = (schema: Body): Body =>
  schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;
const fieldsAt = (schema: Body): string[] =>
  Object.entries(deref(schema).properties ?? {}).flatMap(([name, field]) => [
    name,
    ...fieldsAt(field).map((inner) => `${name}.${inner}`),
  ]);

/** Places in a schema where the document allows other fields. */
function openIn(schema: Body, place = ''): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { $ref, properties, additionalProperties, items, anyOf = [] } = schema;
  if ($ref) return openIn(document.components.schemas[$ref.split('/').at(-1)], place);
  return [
    ...(properties && additionalProperties !== false ? [place] : []),
    ...Object.entries(properties ?? {}).flatMap(([name, field]) =>
      openIn(field, `${place}.${name}`),
    ),
    ...[...anyOf, items].flatMap((inner) => openIn(inner, place)),
  ];
}

test('the document excludes other fields of their bodies, at every depth', () => {
  const open = moving.flatMap((route) => openIn(bodyOf(route)?.schema, route.endpoint.name));
  expect(open).toEqual([]);
});

test('a misspelt nested field is refused by its place, and nothing is stored', async () => {
  const as = await h.user();
  const body = {
    usdc_amount: '5',
    target_fiat: 'USD',
    payout_type: 'BANK',
    destination_bank: {
      bank_name: 'B',
      acount_number: '1',
      account_number: '12345678',
      account_name: 'A',
    },
  };
  const [status, answer] = await h.call('POST /xrpl/offramp/init', { as, body });
  expect([status, codeIn(answer)]).toEqual([400, 'UNKNOWN_FIELD']);
  expect(JSON.stringify(answer)).toContain('destination_bank.acount_number');
  expect(JSON.stringify(answer)).toContain('Did you mean account_number?');
  expect(await h.db.selectFrom('sagas').select('id').execute()).toEqual([]);
});

test('a schema error keeps its own words, with the misspelt name beside it', async () => {
  const as = await h.user();
  const body = { usdc_amont: '5', target_fiat: 'ZZZ' };
  const [status, answer] = await h.call('POST /xrpl/offramp/init', { as, body });
  expect([status, codeIn(answer)]).toEqual([400, 'VALIDATION_ERROR']);
  expect(JSON.stringify(answer)).toContain('Did you mean usdc_amount?');
});

test('other endpoints drop unknown fields and name them', async () => {
  const as = await h.user();
  const body = { currency: 'INR', curency: 'USD' };
  const { status, headers } = await h.send('POST /wallets/fiat', { as, body });
  expect([status, headers.get('x-ignored-fields')]).toEqual([201, 'curency']);
});
