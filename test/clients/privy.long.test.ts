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

const token = async (kind: string) => {
  const { body } = await sandbox.control('POST /extauth/tokens', {
    ext_user_id: 'did:privy:2',
    provider: 'email',
    email: 'budi@example.com',
    kind,
  });
  return (body as { token: string }).token;
};

test('@privy-io/node verifies access tokens and identity tokens by the key set', async () => {
  const auth = client().utils().auth();
  expect(await auth.verifyAccessToken(await token('access'))).toMatchObject({
    user_id: 'did:privy:2',
    app_id: 'test-app',
    session_id: expect.any(String),
  });
  expect(await auth.verifyIdentityToken(await token('identity'))).toMatchObject({
    id: 'did:privy:2',
    linked_accounts: [{ type: 'email', address: 'budi@example.com' }],
  });
  await expect(auth.verifyAccessToken(`${await token('access')}x`)).rejects.toThrow();
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
