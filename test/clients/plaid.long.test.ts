// Long: it loads the provider's own library.

import { Configuration, PlaidApi } from 'plaid';
import { expect, test } from 'vitest';
import { plaidSimulator } from '#sandbox/providers/plaid/simulator.ts';
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

test('plaid exchanges a public token and reads the accounts', async () => {
  const { body } = await sandbox.control('POST /banklink/public-tokens', {});
  const { public_token } = body as { public_token: string };
  const { data } = await client().itemPublicTokenExchange({ public_token });
  const { access_token } = data;
  const accounts = await client().accountsGet({ access_token });
  expect(accounts.data.accounts.map(({ subtype }) => subtype)).toEqual(['checking', 'savings']);
});

test('plaid reads the code of refusals', async () => {
  const wish = { access_token: 'access-sandbox-none' };
  await expect(client().accountsGet(wish)).rejects.toMatchObject({
    response: { status: 400, data: { error_code: 'INVALID_ACCESS_TOKEN' } },
  });
  await expect(client('other').accountsGet(wish)).rejects.toMatchObject({
    response: { status: 400, data: { error_code: 'INVALID_API_KEYS' } },
  });
});
