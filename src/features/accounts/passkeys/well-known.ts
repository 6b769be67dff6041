import type { Config } from '#kernel/config/config.ts';
import { Html } from '#kernel/http/declare/html.ts';
import type { Page } from '#kernel/http/pages/pages.ts';

type Settings = Pick<Config, 'IOS_APPS' | 'ANDROID_APPS' | 'PASSKEY_MANAGE_URL'>;

/** Files by which phones know which apps and pages share passkeys with us; those whose setting is there. */
export function wellKnownFiles({ IOS_APPS, ANDROID_APPS, PASSKEY_MANAGE_URL }: Settings): Page[] {
  const [ios, android] = [listOf(IOS_APPS), listOf(ANDROID_APPS)];
  return [
    ...(ios.length > 0
      ? [file('apple-app-site-association', { webcredentials: { apps: ios } })]
      : []),
    ...(android.length > 0 ? [file('assetlinks.json', android.map(statementOf))] : []),
    ...(PASSKEY_MANAGE_URL === undefined
      ? []
      : [file('passkey-endpoints', { enroll: PASSKEY_MANAGE_URL, manage: PASSKEY_MANAGE_URL })]),
  ];
}

const listOf = (setting: string): string[] => setting.split(',').filter((one) => one !== '');

const file = (name: string, content: unknown): Page => ({
  path: `/.well-known/${name}`,
  type: 'application/json',
  render: () => new Html(200, JSON.stringify(content)),
});

/** As Digital Asset Links have it. */
function statementOf(app: string) {
  const [package_name, fingerprint] = app.split('=');
  return {
    relation: ['delegate_permission/common.get_login_creds'],
    target: {
      namespace: 'android_app',
      package_name,
      sha256_cert_fingerprints: [fingerprint],
    },
  };
}
