import { expect, test } from 'vitest';
import { testDevice } from '../devices.ts';
import { type Body, harness } from '../harness.ts';
import { type TestPage, testBrowser } from './browser.ts';

const h = await harness();
const browser = await testBrowser();

/** A page of ours in a Chromium with an authenticator that verifies its user. */
async function withAuthenticator(): Promise<{
  shown: TestPage;
  verifies(it: boolean): Promise<void>;
}> {
  const shown = await browser.page();
  const session = await shown.page.context().newCDPSession(shown.page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await shown.page.goto(`${h.kernel.publicUrl()}/login`);
  return {
    shown,
    verifies: async (isUserVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
    },
  };
}

const create = ({ page }: TestPage, options: Body): Promise<Body> =>
  page.evaluate(async (asked) => {
    const { PublicKeyCredential, navigator } = globalThis as Body;
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(asked);
    return (await navigator.credentials.create({ publicKey })).toJSON();
  }, options);
const get = ({ page }: TestPage, options: Body): Promise<Body> =>
  page.evaluate(async (asked) => {
    const { PublicKeyCredential, navigator } = globalThis as Body;
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(asked);
    return (await navigator.credentials.get({ publicKey })).toJSON();
  }, options);

test('a passkey made by a browser logs its person in, with the person verified', async () => {
  const as = await h.user();
  const { shown, verifies } = await withAuthenticator();
  const begun = { as, body: {} };
  const [, made] = await h.call('POST /mobile/passkeys/registration-options', begun);
  const { challenge_id, options } = made.data;
  const response = await create(shown, options);
  const body = { challenge_id, response, name: 'Chromium' };
  const [status, { data: passkey }] = await h.call('POST /mobile/passkeys', { as, body });
  expect([status, passkey.name]).toEqual([201, 'Chromium']);

  const logIn = async () => {
    const [, { data }] = await h.call('POST /mobile/passkeys/login-options', { body: {} });
    const device = await testDevice(h);
    const signed = await get(shown, data.options);
    return device.call('/mobile/passkeys/login', {
      challenge_id: data.challenge_id,
      response: signed,
      device: device.description,
    });
  };
  const [entered, { data }] = await logIn();
  expect([entered, data.user.user_id]).toEqual([200, as.user_id]);
  const [, { data: list }] = await h.call('GET /mobile/passkeys', { as: data });
  expect(list.items[0].last_used_at).not.toBeNull();

  await verifies(false);
  await expect(logIn()).rejects.toThrow();
});

test('an authenticator makes no second passkey for one person', async () => {
  const as = await h.user();
  const { shown } = await withAuthenticator();
  const begin = async () =>
    (await h.call('POST /mobile/passkeys/registration-options', { as, body: {} }))[1].data;
  const { challenge_id, options } = await begin();
  const response = await create(shown, options);
  await h.call('POST /mobile/passkeys', { as, body: { challenge_id, response, name: 'one' } });
  await expect(create(shown, (await begin()).options)).rejects.toThrow();
});
