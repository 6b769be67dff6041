import { testAuthenticator } from './authenticator.ts';
import { mobileCode, mobileLogIn, type TestDevice, testDevice } from './devices.ts';
import type { Body, CallOptions, Harness } from './harness.ts';
import { askedByRefunds } from './refunds.ts';
import { codeOf, protectedUser } from './two-factor.ts';

type Asked = () => Promise<{ readonly options: CallOptions; readonly traces: string }>;

/** A valid request to each endpoint that gives a device its tokens or a member a code, and to those that answer the link of a claim. */
export const askedByFamilies = (h: Harness): Readonly<Record<string, Asked>> => ({
  ...askedByRefunds(h),
  async 'POST /payment-gateway/settings/return-secret'() {
    const as = await h.user({ role: 'admin' });
    return { options: { as }, traces: 'gateway_settings' };
  },
  async 'POST /mobile/login'() {
    const phone = '+12025550181';
    await h.user({ phone });
    return proven(h, '/mobile/login', async (device) => ({
      ...(await mobileCode(h, phone)),
      device: device.description,
    }));
  },
  async 'POST /mobile/login/complete'() {
    const user = await protectedUser(h);
    const phone = '+12025550182';
    const { user_id } = user;
    await h.db.updateTable('users').set({ phone }).where('user_id', '=', user_id).execute();
    return proven(h, '/mobile/login/complete', async (device) => ({
      login_id: (await mobileLogIn(h, phone, device)).login_id,
      two_fa_token: codeOf(h, user.secret),
    }));
  },
  async 'POST /mobile/passkeys/login'() {
    const as = await h.user();
    const key = testAuthenticator(new URL(h.kernel.publicUrl()).origin);
    const options = { as, body: {} };
    const [, made] = await h.call('POST /mobile/passkeys/registration-options', options);
    const response = key.register(made.data.options);
    const { challenge_id } = made.data;
    await h.call('POST /mobile/passkeys', { as, body: { challenge_id, response, name: 'x' } });
    return proven(h, '/mobile/passkeys/login', async (device) => {
      const [, { data }] = await h.call('POST /mobile/passkeys/login-options', { body: {} });
      const signed = key.sign(data.options);
      return { challenge_id: data.challenge_id, response: signed, device: device.description };
    });
  },
  async 'POST /socialbot/start'() {
    const login = { body: { phone: '+6281200009998' } };
    const [, { token }] = await h.call('POST /xusers/login', login);
    return { options: { as: { token }, body: { platform: 'telegram' } }, traces: 'social_links' };
  },
});

/** A request with a proof by the key of a device. */
async function proven(h: Harness, path: string, bodyOf: (device: TestDevice) => Promise<Body>) {
  const device = await testDevice(h);
  const body = await bodyOf(device);
  const options = { body, headers: { dpop: await device.proof(path) } };
  return { options, traces: 'sessions' };
}
