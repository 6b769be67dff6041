// Long: calls every endpoint.

import { expect, test } from 'vitest';
import { DEMO, seed } from '#src/app/seed.ts';
import { harness } from './harness.ts';
import { strayRows } from './tenancy-rows.ts';

const h = await harness();
await seed(h.kernel, h.app.features.afterUser);
// biome-ignore lint/suspicious/noExplicitAny: the document is plain JSON.
type Json = any;
const document: Json = await (await fetch(`${h.kernel.publicUrl()}/openapi.json`)).json();

const operations = new Map<string, { method: string; path: string; described: Json }>(
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, described]) => [
      described['x-archipay-method'],
      { method: method.toUpperCase(), path, described },
    ]),
  ),
);

/** Operations that have made something, by the references that they have given. */
const made = new Map<string, string>();

async function tried(name: string, token?: string): Promise<[number, Json]> {
  const found = operations.get(name);
  if (!found) throw new Error(`There is no operation ${name}`);
  const { method, path, described } = found;
  const params = new Map<string, Json>(described.parameters.map((p: Json) => [p.name, p]));
  const place = path.replace(/\{(\w+)\}/g, (_, p) => String(params.get(p).example));
  const required = [...params.values()].filter((p) => p.in === 'query' && p.required);
  const search = new URLSearchParams(required.map((p): [string, string] => [p.name, p.example]));
  const given = described.requestBody?.content['application/json'];
  const isNamed = given?.schema.properties?.metadata?.$ref === '#/components/schemas/Metadata';
  const names = { reference: `example-${made.size}`, metadata: { made_by: name } };
  const body = isNamed ? { ...given.example, ...names } : given?.example;
  if (isNamed) made.set(names.reference, name);
  const file = described.requestBody?.content['text/csv']?.example;
  const reply = await fetch(`${h.app.apiUrl()}${place}?${search}`, {
    method,
    headers: {
      'x-api-key': DEMO.apiKey,
      'content-type': file === undefined ? 'application/json' : 'text/csv',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(file !== undefined && { body: file }),
  });
  const text = await reply.text();
  return [
    reply.status,
    reply.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text,
  ];
}

/** Operations that work alone, with their caller among the demo's people. The others name their needs. */
const ALONE: Readonly<Record<'user' | 'admin' | 'operator', readonly string[]>> = {
  user: [
    ...[
      'keys.generate',
      'keys.create',
      'keys.list',
      'clients.create',
      'auth.logIn',
      'sessions.list',
      'oauth.register',
      'oauth.listGrants',
    ],
    ...['users.get', 'users.listCountries', 'users.requestCode', 'users.getTermsLink'],
    ...['networks.list', 'networks.get', 'networks.getTransaction', 'networks.getAddress'],
    ...['testnet.give', 'testnet.listGifts'],
    ...['password.requestReset', 'twoFactor.getStatus', 'twoFactor.audit', 'twoFactor.setUp'],
    ...['externalLogin.health', 'verification.createToken', 'verification.listHistory'],
    ...['partnerCustomers.create', 'partnerCustomers.getMode', 'bankLink.createToken'],
    ...['recipients.create', 'recipients.list', 'walletTransfers.list', 'walletHolds.list'],
    ...['paymentRequests.create', 'paymentRequests.list'],
    ...['balanceMonitors.create', 'balanceMonitors.list'],
    ...['invoices.create', 'invoices.list', 'invoices.listMethods'],
    ...['paymentLinks.create', 'paymentLinks.list'],
    ...['batches.create', 'batches.list'],
    ...['issuedCards.create', 'issuedCards.list', 'cardDisputes.list'],
    ...['fiatWallets.open', 'fiatWallets.list', 'cards.validate', 'cards.validateForCurrency'],
    ...['cards.topUp', 'cards.topUpCurrency', 'cards.push', 'cards.getFee'],
    ...[
      'fiatWallets.listTransactions',
      'fiatWallets.explain',
      'fiatWallets.getBalance',
      'fiatWallets.getStatement',
      'fx.listRates',
      'cryptoWallets.create',
      'cryptoWallets.list',
    ],
    ...['crosschain.getBalance', 'crosschain.testMint', 'agent.process', 'agent.health'],
    ...['idrTokens.buy', 'idrTokens.listMethods', 'idrTokens.getFees', 'exchangeWallets.list'],
    ...['exchangeWallets.listNetworks', 'cardano.treasuryBalance', 'xrpl.listHistory'],
    ...['purchases.readWish', 'purchases.quote', 'purchases.listChains', 'marketplace.search'],
    ...[
      'rewards.logIn',
      'rewards.requestCode',
      'rewards.countWaiting',
      'events.list',
      'events.listTypes',
    ],
    ...['users.listChanges', 'users.reportVerification', 'users.resendConfirmation'],
    ...['password.requestWithoutKey', 'verification.getStatus', 'verification.syncStatus'],
    ...['verification.createCompanyToken', 'partnerCustomers.getStatus'],
    ...['partnerCustomers.syncStatus', 'bankLink.unlink', 'fx.quote', 'cards.listHistory'],
    ...[
      'fx.listCurrencies',
      'fx.listQuoteKeys',
      'fx.createQuote',
      'fx.listQuotes',
      'fx.listConversions',
    ],
    ...['bridge.listRoutes', 'bridge.createQuote', 'bridge.list'],
    'walletProofs.list',
    ...['mobile.requestCode', 'mobile.listDevices'],
    ...['profile.get', 'profile.update', 'profile.listActivity', 'profile.export'],
    ...['passkeys.getRegistrationOptions', 'passkeys.beginLogIn', 'passkeys.list'],
    'requestLogs.list',
    ...['payments.list', 'payments.rails'],
    'fees.list',
    ...['files.send', 'files.list'],
    'partnerCustomers.getLinks',
    ...['onchain.listEverything', 'onchain.listHistory', 'crosschain.initiate'],
    ...['crosschain.listHistory', 'idrTokens.addBank', 'idrTokens.listBanks'],
    ...['idrTokens.listMints', 'idrTokens.listRedemptions', 'exchangeWallets.save'],
    ...['cardano.listHistory', 'cardano.getVolume', 'cardano.cardToWallet', 'marketplace.chat'],
    ...['marketplace.listOrders', 'callbacks.receivePayment', 'callbacks.receiveTransfer'],
    ...['xrpl.buy', 'mcp.call', 'twoFactor.setUp', 'users.updateProfile'],
    ...['xrpl.sell', 'purchases.readPage', 'externalLogin.logIn', 'bankLink.exchangeToken'],
    ...['cryptoWallets.listAddresses'],
  ],
  admin: [
    ...['team.list', 'team.invite', 'payments.figures'],
    ...['clients.list', 'users.list', 'admins.list', 'admins.createUser', 'admins.audit'],
    ...['instances.create', 'instances.list', 'webhookEndpoints.create', 'webhookEndpoints.list'],
    ...['externalLogin.stats', 'feeSettings.get', 'conversions.listPending'],
    ...['admins.approveKyc', 'admins.getUser', 'feeSettings.set', 'conversions.runDaily'],
    ...['conversions.pollBalance', 'conversions.runTrades'],
    ...['policies.list', 'policies.create', 'approvals.list', 'fx.listSpreads', 'fx.setSpreads'],
    'unmatchedPayments.list',
    ...['gatewaySettings.get', 'gatewaySettings.replace', 'gatewaySettings.makeSecret'],
    'fees.replace',
    ...['decisionWebhook.set', 'decisionWebhook.get', 'decisionWebhook.delete'],
  ],
  operator: [
    ...['marketplace.listPayments', 'reconciliation.listBreaks', 'verification.createLink'],
    ...['verification.createCompanyLink', 'admins.moveAddress', 'desk.work', 'desk.timeline'],
    ...['adjustments.propose', 'adjustments.list', 'desk.orders', 'idrTokens.listPayments'],
    ...['fx.listPositions', 'fx.setLimits', 'bridge.changeRoute'],
    ...['clients.letIn', 'admins.letUserIn', 'fiatWallets.freeze', 'fiatWallets.unfreeze'],
  ],
};

/** Operations that succeed after another one, without a value copied from its answer; by the demo's user. */
const AFTER: readonly (readonly string[])[] = [
  [
    ...['bankLink.linkAccount', 'bankLink.check', 'bankLink.listAccounts'],
    ...['bankLink.getAccessToken', 'bankLink.topUp'],
  ],
  [
    ...['externalLogin.link', 'externalLogin.linkWallet', 'externalLogin.getProfile'],
    'externalLogin.disconnect',
  ],
  ['crosschain.testMint', 'purchases.order', 'purchases.orderOnChain'],
];

async function logInAs(who: keyof typeof ALONE): Promise<string> {
  const { email, password } = DEMO[who];
  const login = { usernameoremail: email, password };
  const [, { data }] = await h.call('POST /auth/login', { body: login });
  return data.token;
}
// Before any renaming.
const tokens = {
  user: await logInAs('user'),
  admin: await logInAs('admin'),
  operator: await logInAs('operator'),
};

async function refusedOf(who: keyof typeof ALONE, names: readonly string[]) {
  const refused: string[] = [];
  for (const name of names) {
    const [status, answer] = await tried(name, tokens[who]);
    if (status >= 300) refused.push(`${name} ${status} ${JSON.stringify(answer).slice(0, 300)}`);
  }
  return refused;
}

test.each(['user', 'admin', 'operator'] as const)(
  'what stands alone succeeds as the reference fills it in, for the demo’s %s',
  async (who) => {
    expect(await refusedOf(who, ALONE[who])).toEqual([]);
  },
);

test.each(AFTER)(
  'after %s all succeeds as it is filled in that needs just that',
  async (...names) => {
    expect(await refusedOf('user', names)).toEqual([]);
  },
);

test('everything that was made has its names', async () => {
  const kept = await h.db
    .selectFrom('caller_names')
    .select(['reference', 'metadata', 'client_id'])
    .execute();
  const names = new Map(kept.map((row) => [row.reference, row.metadata]));
  const nameless = [...made].filter(([reference]) => !names.has(reference));
  // The demo's user has that wallet already, and so it is answered.
  expect(nameless.map(([, name]) => name)).toEqual(['fiatWallets.open']);
  for (const [reference, name] of made)
    expect(names.get(reference) ?? { made_by: name }).toEqual({ made_by: name });
  expect(made.size).toBeGreaterThan(15);
});

/** Operations that end with their action, or never end. */
const LAST = [
  'users.logOut',
  'mobile.logOut',
  'admins.stopUser',
  'clients.stop',
  'sessions.endOthers',
  'events.stream',
];

test('an operation that does not work alone names its needs and their source', () => {
  const heads = AFTER.map(([first]) => first ?? '');
  const alone = new Set([
    ...Object.values(ALONE).flat(),
    ...LAST,
    ...heads,
    'externalLogin.linkWallet',
    // The draft of its example is optional.
    'policies.simulate',
  ]);
  const silent = [...operations]
    .filter(([name, { described }]) => !alone.has(name) && !described['x-archipay-needs'])
    .map(([name]) => name);
  expect(silent).toEqual([]);
  const { described } = operations.get('cards.refund') ?? {};
  expect(described['x-archipay-needs']).toEqual({
    reference_id: '`POST /card-checkout/card`',
  });
  expect(described.description).toContain('`reference_id` from `POST /card-checkout/card`');
});

test('every body has an example', () => {
  const lacking = [...operations].filter(([, { described }]) => {
    const content = described.requestBody?.content['application/json'];
    return content !== undefined && typeof content.example !== 'object';
  });
  expect(lacking.map(([name]) => name)).toEqual([]);
});

test('every row that the examples left leads to its client', async () => {
  expect(await strayRows(h.db)).toEqual([]);
});
