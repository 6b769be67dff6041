import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';

const FILES = ['apple-app-site-association', 'assetlinks.json', 'passkey-endpoints'];
const SHA = Array.from({ length: 32 }, () => 'A1').join(':');

test('the files of apps are there where their settings are', async () => {
  const h = await harness({
    config: {
      IOS_APPS: 'A1B2C3D4E5.example.pay',
      ANDROID_APPS: `example.pay=${SHA}`,
      PASSKEY_MANAGE_URL: 'https://pay.example/passkeys',
    },
  });
  const read = async (name: string) => {
    const answer = await fetch(`${h.kernel.publicUrl()}/.well-known/${name}`);
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
    return answer.json();
  };
  expect(await Promise.all(FILES.map(read))).toEqual([
    { webcredentials: { apps: ['A1B2C3D4E5.example.pay'] } },
    [
      {
        relation: ['delegate_permission/common.get_login_creds'],
        target: {
          namespace: 'android_app',
          package_name: 'example.pay',
          sha256_cert_fingerprints: [SHA],
        },
      },
    ],
    { enroll: 'https://pay.example/passkeys', manage: 'https://pay.example/passkeys' },
  ]);
});

test('without their settings they are not there', async () => {
  const h = await harness();
  for (const name of FILES)
    expect((await fetch(`${h.kernel.publicUrl()}/.well-known/${name}`)).status).toBe(404);
});
