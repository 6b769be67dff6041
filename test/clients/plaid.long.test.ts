// Long: it loads the provider's own library.

import { randomUUID } from 'node:crypto';
import {
  type ACHClass,
  Configuration,
  type CountryCode,
  PlaidApi,
  type Products,
  type TransferNetwork,
  type TransferType,
} from 'plaid';
import { expect, test } from 'vitest';
import { plaidSimulator } from '#sandbox/providers/plaid/simulator.ts';
import { publishedDocument } from '#sandbox/published.ts';
import { testSandbox } from '#test/sandbox.ts';

const credentials = { PLAID_CLIENT_ID: 'test-client', PLAID_SECRET: 'test-secret' };
const sandbox = await testSandbox(plaidSimulator(credentials));
const client = (secret = credentials.PLAID_SECRET) =>
  new PlaidApi(
    new Configuration({
      basePath: `${sandbox.url}/plaid`,
      baseOptions: { headers: { 'PLAID-CLIENT-ID': 'test-client', 'PLAID-SECRET': secret } },
    }),
  );
const api = client();
const refusal = (error_code: string, status = 400) => ({
  response: { status, data: { error_code } },
});

async function linked(more: object = {}) {
  const { body } = await sandbox.control('POST /banklink/public-tokens', more);
  const { public_token } = body as { public_token: string };
  const { access_token } = (await api.itemPublicTokenExchange({ public_token })).data;
  const { accounts } = (await api.accountsGet({ access_token })).data;
  return { access_token, account_id: accounts[0]?.account_id ?? '' };
}
const authorized = async (from: Awaited<ReturnType<typeof linked>>, amount = '12.34') =>
  (
    await api.transferAuthorizationCreate({
      ...from,
      amount,
      type: 'debit' as TransferType,
      network: 'ach' as TransferNetwork,
      ach_class: 'web' as ACHClass,
      user: { legal_name: 'Ada Lovelace' },
      idempotency_key: randomUUID(),
    })
  ).data.authorization;
async function transferred() {
  const from = await linked();
  const { id } = await authorized(from);
  const wish = { ...from, authorization_id: id, description: 'TOPUP' };
  return (await api.transferCreate(wish)).data.transfer;
}

test('plaid exchanges a public token and reads the accounts, their numbers and their owner', async () => {
  const { access_token } = await linked();
  const accounts = await api.accountsGet({ access_token });
  expect(accounts.data.accounts.map(({ subtype }) => subtype)).toEqual(['checking', 'savings']);
  expect((await api.accountsBalanceGet({ access_token })).data.accounts).toHaveLength(2);
  expect((await api.authGet({ access_token })).data.numbers.ach).toHaveLength(2);
  expect((await api.identityGet({ access_token })).data.accounts[0]?.owners).toHaveLength(1);
  const { item } = (await api.itemGet({ access_token })).data;
  const { institution } = (
    await api.institutionsGetById({
      institution_id: item.institution_id ?? '',
      country_codes: ['US'] as CountryCode[],
    })
  ).data;
  expect(institution.name).toBe(item.institution_name);
});

test('plaid reads the code of refusals', async () => {
  const wish = { access_token: 'access-sandbox-none' };
  await expect(api.accountsGet(wish)).rejects.toMatchObject(refusal('INVALID_ACCESS_TOKEN'));
  await expect(client('other').accountsGet(wish)).rejects.toMatchObject(
    refusal('INVALID_API_KEYS'),
  );
});

test('a link token is read again', async () => {
  const made = await api.linkTokenCreate({
    client_name: 'Test',
    language: 'en',
    country_codes: ['US'] as CountryCode[],
    products: ['auth'] as Products[],
    user: { client_user_id: '1' },
  });
  const { data } = await api.linkTokenGet({ link_token: made.data.link_token });
  expect(data.expiration).toBe(made.data.expiration);
});

test('a debit is decided by the balance and the log-in, as their sandbox documents it', async () => {
  expect(await authorized(await linked())).toMatchObject({
    decision: 'approved',
    decision_rationale: null,
  });
  expect(await authorized(await linked({ available: 5 }))).toMatchObject({
    decision: 'declined',
    decision_rationale: { code: 'NSF' },
  });
  expect(await authorized(await linked({ available: 0 }))).toMatchObject({
    decision: 'declined',
    decision_rationale: { code: 'RISK' },
  });
  const ended = await linked();
  await api.sandboxItemResetLogin({ access_token: ended.access_token });
  expect(await authorized(ended)).toMatchObject({
    decision: 'user_action_required',
    decision_rationale: { code: 'ITEM_LOGIN_REQUIRED' },
  });
  const wish = { access_token: ended.access_token };
  await expect(api.accountsGet(wish)).rejects.toMatchObject(refusal('ITEM_LOGIN_REQUIRED'));
  expect((await api.itemGet(wish)).data.item.error?.error_code).toBe('ITEM_LOGIN_REQUIRED');
});

test('a transfer comes back with the return code that its bank gives', async () => {
  const { id } = await transferred();
  await api.sandboxTransferSimulate({ transfer_id: id, event_type: 'posted' });
  await api.sandboxTransferSimulate({
    transfer_id: id,
    event_type: 'returned',
    failure_reason: { ach_return_code: 'R02' },
  });
  const { transfer } = (await api.transferGet({ transfer_id: id })).data;
  expect(transfer).toMatchObject({
    status: 'returned',
    failure_reason: { ach_return_code: 'R02', description: 'Account closed' },
  });
  const { transfer_events } = (await api.transferEventSync({ after_id: 0, count: 100 })).data;
  const mine = transfer_events.filter(({ transfer_id }) => transfer_id === id);
  expect(mine.map(({ event_type }) => event_type)).toEqual(['pending', 'posted', 'returned']);
});

test('a transfer is cancelled until it is posted, and no longer', async () => {
  const first = await transferred();
  await api.transferCancel({ transfer_id: first.id });
  expect((await api.transferGet({ transfer_id: first.id })).data.transfer.status).toBe('cancelled');
  const second = await transferred();
  await api.sandboxTransferSimulate({ transfer_id: second.id, event_type: 'posted' });
  await expect(api.transferCancel({ transfer_id: second.id })).rejects.toMatchObject(
    refusal('TRANSFER_NOT_CANCELLABLE'),
  );
  const { transfers } = (await api.transferList({ count: 25 })).data;
  expect(transfers.map(({ id }) => id)).toContain(second.id);
});

test('a request against their document is refused, and the field is named', async () => {
  const sent = await fetch(`${sandbox.url}/plaid/transfer/authorization/create`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'PLAID-CLIENT-ID': 'test-client',
      'PLAID-SECRET': 'test-secret',
    },
    body: JSON.stringify({ type: 'debit', network: 'pigeon', amount: '1.00', user: {} }),
  });
  expect([sent.status, await sent.json()]).toMatchObject([400, { error_code: 'INVALID_FIELD' }]);
});

test('the simulator has every operation of the document that it keeps', async () => {
  const { paths } = publishedDocument(
    new URL('../../sandbox/providers/plaid/', import.meta.url).href,
  );
  const statuses = await Promise.all(
    paths.map(async (path) => {
      const answer = await fetch(`${sandbox.url}/plaid${path}`, { method: 'POST' });
      return [path, answer.status];
    }),
  );
  expect(statuses.filter(([, status]) => status === 404)).toEqual([]);
});
