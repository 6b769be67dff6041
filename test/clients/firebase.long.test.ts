// Long: it loads the provider's own library.

import { Agent } from 'node:https';
import { connect } from 'node:net';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { getMessaging } from 'firebase-admin/messaging';
import { expect, test } from 'vitest';
import { pushSimulator } from '#sandbox/providers/messages/push-simulator.ts';
import { atEnd } from '#test/at-end.ts';
import { testSandbox } from '#test/sandbox.ts';
import { forwarder } from './redirect.ts';

const config = { PUSH_PROJECT: 'test-project', PUSH_TOKEN: 'ya29.test' };
const sandbox = await testSandbox(pushSimulator(config));
const { port } = new URL(await forwarder(`${sandbox.url}/push`));

/** The library names its host in code, and speaks TLS to it. */
class Redirected extends Agent {
  override createConnection() {
    return connect({ host: '127.0.0.1', port: Number(port) });
  }
}

function client(token = config.PUSH_TOKEN) {
  const app = initializeApp(
    {
      projectId: config.PUSH_PROJECT,
      credential: { getAccessToken: async () => ({ access_token: token, expires_in: 3600 }) },
      httpAgent: new Redirected(),
    },
    token,
  );
  atEnd(() => deleteApp(app));
  return getMessaging(app);
}
const messaging = client();
const message = (token: string) => ({
  token,
  notification: { title: 'Archipay', body: 'Hello' },
  data: { message_id: 'm1' },
  android: { collapseKey: 'm1' },
  apns: { headers: { 'apns-collapse-id': 'm1' } },
});

test('firebase-admin sends a notification', async () => {
  const name = await messaging.send(message('device-1'));
  expect(name).toMatch(/^projects\/test-project\/messages\//);
});

test('firebase-admin sends to a token or topic with a notification or data alone, and validates', async () => {
  const notification = { title: 'Archipay', body: 'Hello' };
  for (const wish of [
    { token: 'device-2', notification },
    { topic: 'news', data: { id: '1' } },
    { condition: "'a' in topics", notification },
  ])
    expect(await messaging.send(wish)).toMatch(/^projects\/test-project\/messages\//);
  const validated = await messaging.send({ token: 'device-3', notification }, true);
  expect(validated).toMatch(/fake_message_id$/);
  const kept = await sandbox.world.records.list('messages', 'message', {});
  expect(kept).not.toContainEqual(expect.objectContaining({ to: 'device-3' }));
});

test('firebase-admin knows a device that has uninstalled the app', async () => {
  await expect(messaging.send(message('unregistered-device'))).rejects.toMatchObject({
    code: 'messaging/registration-token-not-registered',
  });
});

test('firebase-admin reads the refusal of credentials', async () => {
  await expect(client('other').send(message('device-1'))).rejects.toMatchObject({
    code: 'messaging/third-party-auth-error',
  });
});
