import { Type } from 'typebox';
import {
  androidApps,
  dialCode,
  domain,
  email,
  iosApps,
  json,
  masterKey,
  optional,
  origins,
  passkeyOrigins,
  password,
  setting,
  signingSecret,
  url,
  words,
} from '../setting-kinds.ts';

/** Secrets and access. */
export const ACCESS_SETTINGS = {
  CONSOLE: setting(
    optional(words(['on', 'off'] as const)),
    "`off`: no console for the operator's people, and no log-in to it",
    { usually: '`on`; in production where `PUBLIC_URL` is https' },
  ),
  CONSOLE_CLIENTS: setting(
    words(['on', 'off'] as const, 'on'),
    "`off`: the console is for the operator's people alone",
  ),
  OPERATOR_2FA: setting(
    optional(words(['required', 'optional'] as const)),
    "`required` or `optional`: whether the operator's admins need a second factor, by key and token and at the console; without one a log-in opens only what sets it up",
    { usually: '`required` in production' },
  ),
  CONSOLE_2FA: setting(
    optional(words(['required', 'optional'] as const)),
    'the earlier name of `OPERATOR_2FA`; it counts where that is not set',
  ),
  SECOND_PERSON_DAYS: setting(
    Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
    'days that an account is older than a correction which it approves ([why](design/operator.md#67-adjustments-and-reversals-by-two-people))',
    { usually: '`7`; in mock mode `0`' },
  ),
  CORRECTIONS_DAY_USD: setting(
    Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 50_000 }),
    'what all corrections of a day (UTC) may move together, in about US dollars',
  ),
  SPONSORED_DAY_USD: setting(
    Type.Integer({ minimum: 0, maximum: 1000, default: 100 }),
    'what the platform pays in a day, on each rail, for operations whose whole cost is charged to no user; a user causes a tenth of it in an hour ([why](design/costs.md#75-what-each-rail-costs-the-platform-and-who-pays-for-it))',
  ),
  CONSOLE_DIR: setting(
    optional(Type.String()),
    "the console's files, where they were built ahead (`npm run console`); otherwise the first who opens it has them built",
  ),
  MASTER_KEY: setting(
    optional(masterKey),
    '`version:base64 of 32 bytes`, newest first, separated by commas',
    { usually: 'generated in development', production: '' },
  ),
  JWT_SECRET: setting(optional(signingSecret), 'signs log-in tokens; at least 32 characters', {
    usually: 'generated in development',
    production: '',
  }),
  JWT_TTL: setting(Type.Integer({ minimum: 60, default: 86_400 }), 'seconds a log-in lives'),
  TRUST_PROXY: setting(optional(Type.String()), 'number of proxies in front, or their addresses'),
  RATE_LIMITS: setting(words(['on', 'off'] as const, 'on'), '`off` for load tests'),
  CORS_ORIGINS: setting(
    origins,
    'origins that browsers may call from, separated by commas; `*` for any',
  ),
  PROFILE_OTP: setting(
    optional(words(['required', 'off'] as const)),
    'whether a profile update needs a one-time code; or `off`',
    { usually: '`required` out of mock mode' },
  ),
  PASSKEY_RP_ID: setting(
    optional(domain),
    'the domain that passkeys belong to; changing it makes all of them useless',
    { usually: 'the host of `PUBLIC_URL`' },
  ),
  PASSKEY_ORIGINS: setting(
    passkeyOrigins,
    'pages and apps beside `PUBLIC_URL` that passkeys are used on, separated by commas, such as `android:apk-key-hash:…`',
  ),
  PASSKEY_MANAGE_URL: setting(
    optional(url),
    'where people add and remove passkeys, for `/.well-known/passkey-endpoints`',
  ),
  IOS_APPS: setting(
    iosApps,
    'apps that share passkeys with the site, as team and bundle, separated by commas, for `/.well-known/apple-app-site-association`',
  ),
  ANDROID_APPS: setting(
    androidApps,
    'the same as package and SHA-256 of the certificate, for `/.well-known/assetlinks.json`',
  ),
  BOOTSTRAP_ADMIN_EMAIL: setting(optional(email), "makes the operator's first admin at the start"),
  BOOTSTRAP_ADMIN_PASSWORD: setting(optional(password), 'its password, 10 characters or more'),
  BURN_WITH_PRIVATE_KEY: setting(
    optional(words(['on', 'off'] as const)),
    '`on` takes private keys at `POST /crosschain/burn-frontend`, `off` refuses them',
    { usually: '`on` outside production' },
  ),
  REWARDS_PLATFORMS: setting(
    optional(json('{"platform_1":{"names":["ig"],"hosts":["instagram.com"]},…}')),
    'JSON of social platforms, instead of Instagram, X, TikTok and Telegram',
    { usually: 'four' },
  ),
  REWARDS_DIAL_CODE: setting(
    dialCode,
    'country of phone numbers without a country code, in the rewards app',
  ),
  REWARDS_LOGIN_CODE: setting(
    optional(words(['required', 'off'] as const)),
    '`required`: a rewards-app log-in needs a number just proven by `/xotp`, purpose `login`',
    { usually: '`required` in production, else `off`' },
  ),
};
