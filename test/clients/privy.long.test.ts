// Long: it loads the provider's own library.

import { PrivyClient } from '@privy-io/node';
import { expect, test } from 'vitest';
import { extauthSimulator } from '#sandbox/providers/extauth/simulator.ts';
import { testSandbox } from '#test/sandbox.ts';

const credentials = { EXTAUTH_APP_ID: 'test-app', EXTAUTH_APP_SECRET: 'app-secret' };
const sandbox = await testSandbox(extauthSimulator(credentials));
const client = (appSecret = credentials.EXTAUTH_APP_SECRET) =>
  new PrivyClient({
    appId: 'test-app',
    appSecret,
    apiUrl: `${sandbox.url}/extauth`,
    maxRetries: 0,
  });

test('@privy-io/node fetches a user', async () => {
  await sandbox.control('POST /extauth/tokens', {
    ext_user_id: 'did:privy:1',
    provider: 'email',
    email: 'ana@example.com',
  });
  expect(await client().users()._get('did:privy:1')).toMatchObject({
    id: 'did:privy:1',
    linked_accounts: [{ type: 'email', address: 'ana@example.com' }],
  });
});

test('@privy-io/node reads the status of refusals', async () => {
  await expect(client().users()._get('did:privy:none')).rejects.toMatchObject({ status: 404 });
  const users = client('other').users();
  await expect(users._get('did:privy:1')).rejects.toMatchObject({ status: 401 });
});
