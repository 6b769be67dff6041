import { LOGIN_TOKEN } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

const UUID = '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11';

const REFRESH = 'b0a7c1d2e3f405162738495a6b7c8d9eb0a7c1d2e3f405162738495a6b7c8d9e';

/** What the reference says of this feature beside its declarations. */
export const MOBILE_WORDS: FeatureWords = {
  tags: {
    mobile: {
      group: 'People',
      title: 'Mobile log-in',
      text: 'Log-ins of apps: a code to the phone, a token of 15 minutes, and a refresh token of 30 days that only the key of the device can use.',
    },
  },
  titles: {
    'mobile.logIn': 'Log a device in',
    'mobile.logOut': 'Log this device out',
    'mobile.refresh': 'Renew the log-in of a device',
  },
  meanings: {
    login_id: 'The log-in that waits for the second factor',
    otp_id: 'The code, by the answer to its request',
    device: 'The device, as its app describes it',
    device_id: 'The device, as we call it',
    refresh_token: 'The last refresh token of the device',
    kty: 'Always EC',
    crv: 'Always P-256',
    x: 'A coordinate of the public key, in base64url',
    y: 'A coordinate of the public key, in base64url',
    push_token: 'Where the device gets its notifications',
    public_key:
      'The public key of the device, as a JWK of P-256; its private key never leaves the device',
  },
  values: {
    channel: { auto: 'WhatsApp, and SMS where that is refused' },
    platform: { ios: 'An iPhone or iPad', android: 'An Android device', web: 'A browser' },
  },
  descriptions: {
    'mobile.requestCode':
      'The phone belongs to one active user of the client of the key. The code counts for the key and network that asked for it, once, and dies after five wrong tries. In 30 seconds another one is refused with `Retry-After`.',
    'mobile.refresh':
      'A token that is used twice ends its device (`REFRESH_REUSED`), and the owner is mailed. Within 30 seconds, while its successor is unused, it gives a new pair instead: an answer may have been lost. The answer is kept for no repetition of an `Idempotency-Key`.',
    'mobile.logOut': 'Once more with the same token is 200 too.',
    'mobile.deleteDevice':
      'Ends its session and refresh token on every process. `device.removed` follows.',
  },
  places: {
    'DeviceLoggedIn.token': LOGIN_TOKEN,
    'DeviceLoggedIn.refresh_token': REFRESH,
    'mobile.refresh.token': LOGIN_TOKEN,
    'mobile.refresh.refresh_token': REFRESH,
    'Device.name': 'Ada’s phone',
    'Device.last_network': '203.0.113.0/24',
    'mobile.updateDevice.name': 'Ada’s new phone',
    'DeviceInput.name': 'Ada’s phone',
    // The key of RFC 7515, A.3.
    'DeviceKey.x': 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
    'DeviceKey.y': 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    'mobile.requestCode.phone': '+12025550100',
  },
  origins: [
    [/^mobile\.logIn\.otp_id$/, 'mobile.requestCode'],
    [/^mobile\.completeLogIn\.login_id$/, 'mobile.logIn'],
    [/^mobile\.refresh\.refresh_token$/, 'mobile.logIn'],
    [/^mobile\.\w+Device\.device_id$/, 'mobile.logIn'],
  ],
  answers: [[/^(otp_id|login_id)$/, UUID]],
};
