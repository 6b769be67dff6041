import { type TSchema, Type } from 'typebox';

/** What kinds of values settings have, each with words for the operator who gave another one. */

/** What is known of a setting beside its type. */
export interface Setting {
  readonly default?: unknown;
  readonly example?: string;
}

/** A setting as it is declared: its type, and what docs/settings.md and .env.example say of it. */
export interface SettingDeclaration<T extends TSchema> {
  readonly schema: T;
  /** In Markdown, one sentence without a capital and a dot. */
  readonly meaning: string;
  /** The default, where it depends on other settings: in Markdown. */
  readonly usually?: string;
  /** What production has to set: the value, or nothing where each installation has its own. */
  readonly production?: string;
}

export const setting = <T extends TSchema>(
  schema: T,
  meaning: string,
  more: Pick<SettingDeclaration<T>, 'usually' | 'production'> = {},
): SettingDeclaration<T> => ({ schema, meaning, ...more });

/** `rule` goes on from the setting's name; `example` is one that is taken. */
interface Said {
  readonly rule: string;
  readonly example?: string;
}

const like = (pattern: string, said: Said, more: { readonly default?: string } = {}) =>
  Type.String({ pattern, ...said, ...more });

export const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);

/** One of a few words; `usual` where nothing is set. */
export const words = <const W extends readonly string[]>(values: W, usual?: W[number]) =>
  Type.Unsafe<W[number]>({
    type: 'string',
    enum: [...values],
    ...(usual === undefined ? {} : { default: usual }),
  });

/** 0 is any free one. */
export const port = (usual?: number) =>
  Type.Integer({ minimum: 0, maximum: 65_535, ...(usual === undefined ? {} : { default: usual }) });

/** What its owner reads as JSON of some shape, see json-setting.ts. */
export const json = (example: string) => Type.String({ example });

export const url = like('^https?://[^\\s/]', {
  rule: 'must be an address that begins with https:// or http://',
  example: 'https://pay.example',
});
export const proxyUrl = like('^https?://[^\\s/]+/?$', {
  rule: 'must be the address of an HTTP proxy',
  example: 'http://egress.internal:4750',
});
export const databaseUrl = like('^postgres(ql)?://[^\\s]', {
  rule: 'must be the address of a PostgreSQL',
  example: 'postgres://user:password@localhost:5432/archipay',
});
export const redisUrl = like('^rediss?://[^\\s]', {
  rule: 'must be the address of a Redis',
  example: 'redis://localhost:6379',
});
export const smtpUrl = like('^smtps?://[^\\s]', {
  rule: 'must be the address of a mail server that begins with smtp:// or smtps://',
  example: 'smtp://user:password@mail.example:587',
});
export const socketUrl = like('^wss?://[^\\s/]', {
  rule: 'must be an address that begins with wss:// or ws://',
  example: 'wss://s.altnet.rippletest.net:51233',
});
export const commit = like('^[0-9a-f]{7,64}$', {
  rule: 'must be 7 or more hexadecimal digits, as git rev-parse HEAD prints them',
  example: '3a0362d',
});
export const edition = like('^[A-Za-z0-9._-]{1,40}$', {
  rule: 'must be up to 40 letters, digits, dots, dashes and underscores',
  example: '2026-11',
});
export const template = like('^[a-z0-9_]+:[A-Za-z_]+$', {
  rule: 'must be name:language of an approved template',
  example: 'news:en_US',
});
export const phoneDigits = like('^[1-9]\\d{4,14}$', {
  rule: 'must be a phone number in digits, with its country code',
  example: '6281200001111',
});
export const botName = like(
  '^[A-Za-z][A-Za-z0-9_]{4,31}$',
  { rule: 'must be the username of a bot, without @', example: 'archipay_bot' },
  { default: 'archipay_sandbox_bot' },
);
export const webhookSecret = like(
  '^[A-Za-z0-9_-]{0,256}$',
  { rule: 'must be at most 256 letters, digits, dashes and underscores', example: 'Zx8-kq' },
  { default: 'sandbox-telegram-webhook-secret' },
);
export const graphVersion = like(
  '^v\\d{1,3}\\.\\d{1,2}$',
  { rule: 'must be a version of the Graph API', example: 'v25.0' },
  { default: 'v25.0' },
);
export const masterKey = like('^(\\d+:[A-Za-z0-9+/]{43}=)(,\\d+:[A-Za-z0-9+/]{43}=)*$', {
  rule:
    'must be version:base64 of 32 bytes, the newest first, separated by commas; ' +
    'make one with: echo "1:$(openssl rand -base64 32)"',
});
export const signingSecret = Type.String({
  minLength: 32,
  rule: 'must have 32 characters or more; make one with: openssl rand -base64 48',
});
export const mnemonic = Type.String({
  minLength: 20,
  rule: 'must be 12 to 24 words of BIP-39; npm run secrets prints new ones',
});
export const email = Type.String({
  format: 'email',
  rule: 'must be an e-mail address',
  example: 'ops@pay.example',
});
export const password = Type.String({
  minLength: 10,
  rule: 'must have 10 characters or more; make one with: openssl rand -base64 18',
});
export const origins = like(
  '^(\\s*(\\*|https?://[^\\s/,]+)\\s*(,(?!\\s*$)|$))*$',
  {
    rule: 'must be origins with their scheme and without a path, separated by commas, or *',
    example: 'https://app.example,http://localhost:5173',
  },
  { default: '' },
);
export const domain = like('^([a-z0-9-]{1,63}\\.)*[a-z0-9-]{1,63}$', {
  rule: 'must be a domain in lower case, without scheme and port',
  example: 'pay.example',
});
export const passkeyOrigins = like(
  '^(\\s*(https?://[^\\s/,]+|android:apk-key-hash:[A-Za-z0-9_-]{43})\\s*(,(?!\\s*$)|$))*$',
  {
    rule: 'must be origins with their scheme, or hashes of Android apps, separated by commas',
    example: 'https://app.example,android:apk-key-hash:47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU',
  },
  { default: '' },
);
export const iosApps = like(
  '^([A-Z0-9]{10}\\.[A-Za-z0-9.-]{1,155}(,(?!$)|$))*$',
  {
    rule: 'must be team and bundle of apps, separated by commas',
    example: 'A1B2C3D4E5.example.pay',
  },
  { default: '' },
);
export const androidApps = like(
  '^([A-Za-z][A-Za-z0-9_.]{1,150}=[0-9A-F]{2}(:[0-9A-F]{2}){31}(,(?!$)|$))*$',
  {
    rule: 'must be package=SHA-256 of the certificate with colons, separated by commas',
    example: `example.pay=${Array.from({ length: 32 }, () => 'A1').join(':')}`,
  },
  { default: '' },
);
export const dialCodes = like(
  '^([1-9]\\d{0,6}(:\\d{1,9})?(,(?!$)|$))*$',
  {
    rule: 'must be beginnings of numbers without +, with how many a day where wanted, separated by commas',
    example: '62,65,1:500,1876:0',
  },
  { default: '' },
);
export const dialCode = like(
  '^[1-9]\\d{0,2}$',
  { rule: 'must be the dial code of a country without +', example: '62' },
  { default: '62' },
);
export const bankPlace = like(
  '^([A-Z0-9_]{2,20}:\\d{5,20}:.{2,100})?$',
  {
    rule: 'must be bank code:account number:name of the account',
    example: 'BCA:88010000000001:Exchange Ltd',
  },
  { default: 'BCA:88010000000001:sandbox exchange' },
);
export const bic = like(
  '^([A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?)?$',
  { rule: 'must be a BIC of 8 or 11 characters', example: 'DBSSSGSG' },
  { default: 'ARCHSGSG' },
);
export const hostAccounts = like(
  '^([A-Z]{3}:[0-9A-Za-z]{4,34}(,[A-Z]{3}:[0-9A-Za-z]{4,34})*)?$',
  {
    rule: 'must be currency:account number, several separated by commas',
    example: 'SGD:0010001234,USD:00112233445566',
  },
  {
    default: 'SGD:8800000001,AUD:8800000002,INR:8800000003,USD:8800000004,VND:8800000005',
  },
);
export const cardProducts = like(
  '^([A-Z]{3}:[0-9A-Za-z_-]{1,36}(,[A-Z]{3}:[0-9A-Za-z_-]{1,36})*)?$',
  {
    rule: 'must be currency:card product, several separated by commas',
    example: 'USD:virtual_usd,SGD:virtual_sgd',
  },
  { default: 'USD:virtual_usd,SGD:virtual_sgd,AUD:virtual_aud' },
);
export const acquiringBin = like(
  '^\\d{6}$',
  { rule: 'must be the six digits that the card network gave you', example: '408999' },
  { default: '408999' },
);
export const chain = (usual: string) =>
  like(
    '^[a-z][a-z0-9-]{0,30}$',
    { rule: 'must be the id of a chain', example: usual },
    { default: usual },
  );
/** A secret that two sides agree on. */
export const sharedSecret = like('^.{16,}$', {
  rule: 'must have at least 16 characters',
  example: 'a-secret-of-the-two-sides',
});
