import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { misspelt } from '#kernel/config/misspelt.ts';
import { faultsBetween, withoutSandboxCredentials } from './config-rules.ts';
import { DEFAULTS, settled } from './setting-defaults.ts';
import * as kinds from './setting-kinds.ts';
import { badConfiguration, onePerSetting, wrongValues } from './setting-words.ts';

const { json, optional, port, url, words } = kinds;

const Settings = Type.Object({
  NODE_ENV: optional(words(['development', 'test', 'production'] as const)),
  /** Which part of the service this process is. */
  ROLE: optional(words(['api', 'worker', 'all'] as const)),
  HOST: Type.String({ default: '127.0.0.1' }),
  PORT: port(3000),
  /** Where a process with ROLE=worker answers health checks and metrics. Default: nowhere. */
  WORKER_PORT: optional(port()),
  /** Where every process answers health checks and metrics instead, so that PORT can be public. */
  OPS_PORT: optional(port()),
  /** Whether PORT answers strangers how the process is, where OPS_PORT is not set. Default: outside production. */
  OPS_PUBLIC: optional(words(['on', 'off'] as const)),
  /** Whether the reference and its document are there for everybody who reaches PORT. */
  DOCS: words(['on', 'off'] as const),
  /** Whether the operator's console is there. Default: in production only where PUBLIC_URL is https. */
  CONSOLE: optional(words(['on', 'off'] as const)),
  /** Whether the operator's admins need a second factor, by key and token and at the console. Default: in production. */
  OPERATOR_2FA: optional(words(['required', 'optional'] as const)),
  /** Its earlier name, which counts where OPERATOR_2FA says nothing. */
  CONSOLE_2FA: optional(words(['required', 'optional'] as const)),
  /** Days that an account is older than a correction which it approves. Default: 7, in mock mode 0. */
  SECOND_PERSON_DAYS: Type.Optional(Type.Integer({ minimum: 0, maximum: 365 })),
  /** What all corrections of a day (UTC) may move together, in about US dollars. */
  CORRECTIONS_DAY_USD: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 50_000 }),
  /** Its files as `npm run console` makes them. Default: made when it is first asked for. */
  CONSOLE_DIR: optional(Type.String()),
  /** The public address of the service, for links in messages. Default: HOST and PORT. */
  PUBLIC_URL: optional(url),
  /** Where people log in, for welcome messages. Default: a page of ours that says how. */
  LOGIN_URL: optional(url),
  /** Where the terms of service are to be read, for the page on which users accept them. */
  TOS_URL: optional(url),
  /** What they are called, such as `2026-11`; users who accepted others are asked anew. */
  TOS_VERSION: optional(kinds.edition),
  /** Database, chain state and generated secrets. */
  DATA_DIR: Type.String({ default: '.data' }),
  /** Any PostgreSQL 15 or later. Without it one is started from DATA_DIR. */
  DATABASE_URL: optional(kinds.databaseUrl),
  /** Whether the one from DATA_DIR will do. Default: outside production. */
  EMBEDDED_DATABASE: optional(words(['allow', 'refuse'] as const)),
  /** Whether a start brings the database up to date, or refuses one that is not. */
  MIGRATE: words(['on', 'off'] as const),
  /** The server itself, where DATABASE_URL is a pooler that changes sessions between transactions. */
  DATABASE_DIRECT_URL: optional(kinds.databaseUrl),
  /** One more connection stands for the process and hears notices. */
  DB_POOL: Type.Integer({ minimum: 2, maximum: 200, default: 10 }),
  /** Seconds for which work waits for one of them, before it is told that the database is away. */
  DB_WAIT: Type.Integer({ minimum: 1, maximum: 600, default: 10 }),
  /** Whether prepared statements are kept. Default: without DATABASE_DIRECT_URL. */
  DB_PREPARED: Type.Optional(Type.Boolean()),
  /** A server that follows the one of DATABASE_URL, or several behind one address: histories are read there. */
  DATABASE_REPLICA_URL: optional(kinds.databaseUrl),
  DB_REPLICA_POOL: Type.Integer({ minimum: 1, maximum: 200, default: 10 }),
  /** Seconds for which it may be behind and still be read from, by those who have changed nothing. */
  DB_REPLICA_LAG: Type.Integer({ minimum: 0, maximum: 3600, default: 5 }),
  EVENTS_RETENTION_DAYS: Type.Integer({ minimum: 1, maximum: 3650, default: 30 }),
  REDIS_URL: optional(kinds.redisUrl),
  LOG_LEVEL: optional(words(['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const)),
  /** Lines for people instead of JSON. Default: in development, on a terminal. */
  LOG_PRETTY: optional(words(['on', 'off'] as const)),
  /** Whether lines of requests say from which address they came, which is personal data. */
  LOG_ADDRESSES: words(['on', 'off'] as const),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(url),
  /** The commit that was built, for `/version`. */
  BUILD_COMMIT: optional(kinds.commit),

  /** Fiat legs settle at once and nothing goes through a PSP. Refused with NODE_ENV=production. */
  MOCK_MODE: optional(Type.Boolean()),
  /** Not HOST: it gives away every code and password. Another one is for containers only. */
  SANDBOX_HOST: Type.String({ default: '127.0.0.1' }),
  SANDBOX_PORT: port(3001),
  /** The sandbox's mail server. */
  SANDBOX_SMTP_PORT: port(3025),

  /** `version:base64 of 32 bytes`, newest first, separated by commas. Seals secrets at rest. */
  MASTER_KEY: optional(kinds.masterKey),
  /** At least 32 characters. Signs log-in tokens. */
  JWT_SECRET: optional(kinds.signingSecret),
  /** Seconds a log-in lives. */
  JWT_TTL: Type.Integer({ minimum: 60, default: 86_400 }),
  /** Whose X-Forwarded-For counts: a number of hops or a list of addresses. */
  TRUST_PROXY: optional(Type.String()),
  RATE_LIMITS: words(['on', 'off'] as const),
  /** Origins that browsers may call from, separated by commas; `*` for any. */
  CORS_ORIGINS: kinds.origins,
  /** Whether a profile update needs a one-time code. Default: out of mock mode. */
  PROFILE_OTP: optional(words(['required', 'off'] as const)),
  BOOTSTRAP_ADMIN_EMAIL: optional(kinds.email),
  BOOTSTRAP_ADMIN_PASSWORD: optional(kinds.password),

  SMTP_URL: optional(kinds.smtpUrl),
  MAIL_FROM: Type.String({ default: 'Archipay <no-reply@archipay.example>' }),
  WHATSAPP_URL: optional(url),
  WHATSAPP_PHONE_ID: Type.String({ default: 'sandbox' }),
  WHATSAPP_TOKEN: Type.String({ default: 'sandbox-whatsapp-token' }),
  /** `name:language` of an approved template whose body is one parameter. Default: plain text. */
  WHATSAPP_TEMPLATE: optional(kinds.template),
  /** The same of an authentication template, for messages that carry a code. */
  WHATSAPP_CODE_TEMPLATE: optional(kinds.template),
  SMS_URL: optional(url),
  SMS_ACCOUNT: Type.String({ default: 'ACsandbox' }),
  SMS_TOKEN: Type.String({ default: 'sandbox-sms-token' }),
  SMS_FROM: Type.String({ default: '+10000000000' }),
  PUSH_URL: optional(url),
  PUSH_PROJECT: Type.String({ default: 'sandbox' }),
  /** An OAuth token that is renewed outside of the service. */
  PUSH_TOKEN: Type.String({ default: 'sandbox-push-token' }),
  /** JSON file of a Google service account, from which tokens are made instead. */
  PUSH_ACCOUNT_FILE: optional(Type.String()),
  /** How many messages leave in a day (UTC); strangers cause half of that at most. */
  DAILY_EMAILS: Type.Integer({ minimum: 0, default: 100_000 }),
  DAILY_SMS: Type.Integer({ minimum: 0, default: 5_000 }),
  DAILY_WHATSAPP: Type.Integer({ minimum: 0, default: 10_000 }),
  DAILY_PUSHES: Type.Integer({ minimum: 0, default: 500_000 }),
  /**
   * Beginnings of the numbers that SMS and WhatsApp go to, with ceilings of a day where wanted:
   * `62,65,1:500,1876:0`. Default: every country.
   */
  DIAL_CODES: kinds.dialCodes,

  /** Whether webhooks may go to this very machine, by plain HTTP and to any port. Never in production. */
  WEBHOOK_PRIVATE: optional(words(['allow', 'refuse'] as const)),
  /** An HTTP proxy that webhooks leave by, such as smokescreen. */
  WEBHOOK_PROXY: optional(kinds.proxyUrl),

  PSP_A_URL: optional(url),
  PSP_A_KEY: Type.String({ default: 'sandbox-psp-a-key' }),
  /** Who takes payments and makes pay-outs in rupiah. `idrx` issues and redeems the token, too. */
  IDR_GATEWAY: words(['xendit', 'idrx'] as const),
  GATEWAY_URL: optional(url),
  GATEWAY_KEY: Type.String({ default: 'sandbox-gateway-key' }),
  /** What its call-backs carry as `x-callback-token`. */
  GATEWAY_CALLBACK_TOKEN: Type.String({ default: 'sandbox-gateway-callback-token' }),
  /** The exchange that sells USDC for rupiah: ccxt's name of it, and `https://www.tokocrypto.com`. */
  EXCHANGE_ID: words(['tokocrypto'] as const),
  EXCHANGE_URL: optional(url),
  EXCHANGE_KEY: Type.String({ default: 'sandbox-exchange-key' }),
  EXCHANGE_SECRET: Type.String({ default: 'sandbox-exchange-secret' }),
  /** Where rupiah go to reach it: `bank code:account number:account name`. */
  EXCHANGE_BANK: kinds.bankPlace,
  /** Percent by which its price may be worse than the reference rate; 100 for any. */
  EXCHANGE_SLIPPAGE: Type.Integer({ minimum: 0, maximum: 100, default: 3 }),
  /** How far ledger and gateway may be apart before nothing is paid out to it, in rupiah. */
  RECONCILIATION_TOLERANCE: Type.Integer({ minimum: 0, default: 0 }),
  /** `https://api.idrx.co`. */
  IDRX_URL: optional(url),
  IDRX_API_KEY: Type.String({ default: 'sandbox-idrx-key' }),
  /** In base64, as it is given out. */
  IDRX_SECRET: Type.String({ default: 'sandbox-idrx-secret' }),
  /** Which of the two published forms of signing: over the whole address, or over its path. */
  IDRX_SIGNATURE: words(['url', 'path'] as const),
  CARD_NETWORK_URL: optional(url),
  CARD_NETWORK_USER: Type.String({ default: 'sandbox-card-user' }),
  CARD_NETWORK_PASSWORD: Type.String({ default: 'sandbox-card-password' }),
  /** PEM files of the client certificate that the real card network asks for. */
  CARD_NETWORK_CERT_FILE: optional(Type.String()),
  CARD_NETWORK_KEY_FILE: optional(Type.String()),
  /** Message-level encryption: the pair's id, the network's certificate and our key as PEM files. */
  CARD_NETWORK_MLE_KEY_ID: optional(Type.String()),
  CARD_NETWORK_MLE_CERT_FILE: optional(Type.String()),
  CARD_NETWORK_MLE_KEY_FILE: optional(Type.String()),
  CARD_ACQUIRING_BIN: kinds.acquiringBin,
  /** The marketplaces: Etsy's address, and an IDR catalogue's; with what they know us by. */
  MARKETPLACE_1_URL: optional(url),
  MARKETPLACE_1_KEY: Type.String({ default: 'sandbox-marketplace-1-key' }),
  MARKETPLACE_2_URL: optional(url),
  MARKETPLACE_2_KEY: Type.String({ default: 'sandbox-marketplace-2-key' }),
  IDENTITY_URL: optional(url),
  IDENTITY_APP_TOKEN: Type.String({ default: 'sbx:sandbox-identity-token' }),
  IDENTITY_SECRET: Type.String({ default: 'sandbox-identity-secret' }),
  IDENTITY_WEBHOOK_SECRET: Type.String({ default: 'sandbox-identity-webhook-secret' }),
  EXTAUTH_URL: optional(url),
  /** The provider's published keys. Default: those of the provider itself, or of its stand-in. */
  EXTAUTH_JWKS_URL: optional(url),
  EXTAUTH_APP_ID: Type.String({ default: 'sandbox-extauth-app' }),
  EXTAUTH_APP_SECRET: Type.String({ default: 'sandbox-extauth-secret' }),
  /** SPKI PEM of the provider's key; without it the keys come from the provider's JWKS. */
  EXTAUTH_VERIFICATION_KEY: optional(Type.String()),
  PARTNER_URL: optional(url),
  PARTNER_API_KEY: Type.String({ default: 'sandbox-partner-key' }),
  /** `https://sandbox.plaid.com`, `https://production.plaid.com`. */
  PLAID_URL: optional(url),
  PLAID_CLIENT_ID: Type.String({ default: 'sandbox-plaid-client' }),
  PLAID_SECRET: Type.String({ default: 'sandbox-plaid-secret' }),
  /** Public exchange rates as Coinbase serves them: `https://api.coinbase.com`. */
  FX_URL: optional(url),
  /** For an address that asks for one. */
  FX_KEY: optional(Type.String()),
  /** Seconds for which rates still count while their provider is away. */
  FX_MAX_AGE: Type.Integer({ minimum: 10, maximum: 86_400, default: 600 }),

  /** A language model on any server with OpenAI's chat API: `https://api.openai.com/v1`. */
  LLM_URL: optional(url),
  /** Empty where the server asks for none. */
  LLM_KEY: Type.String({ default: 'sandbox-llm-key' }),
  LLM_MODEL: Type.String({ default: 'sandbox-rules' }),
  /** Seconds in which it has answered. */
  LLM_TIMEOUT: Type.Integer({ minimum: 1, maximum: 120, default: 20 }),
  /** Whether the server takes a JSON schema, or only that JSON is wanted. */
  LLM_JSON: words(['schema', 'object'] as const),

  EVM_SEPOLIA_RPC_URL: optional(url),
  EVM_AMOY_RPC_URL: optional(url),
  EVM_NEON_RPC_URL: optional(url),
  /** JSON-RPC of further chains, by the `chain_id` of their rows. */
  EVM_RPC_URLS: optional(json('{"base":"https://rpc.example"}')),
  /** Contract addresses per chain; default: where our deployment puts them. */
  EVM_CONTRACTS: optional(json('{"sepolia":{"usdc":"0x…"}}')),
  /** BIP-39 words of the platform's hot wallet, relayer and deployer. */
  EVM_MNEMONIC: optional(kinds.mnemonic),
  EVM_CONFIRMATIONS: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
  /** The chain on which rupiah tokens are minted, and where their burns are looked for first. */
  IDR_TOKEN_CHAIN: kinds.chain('amoy'),
  /** The chain on which purchases of the first version are paid. */
  PURCHASE_CHAIN: kinds.chain('neon'),
  /** A server of the XRP Ledger, such as `wss://s.altnet.rippletest.net:51233`. */
  XRPL_URL: optional(kinds.socketUrl),
  /** Whether clients may post a private key to burn with. */
  BURN_WITH_PRIVATE_KEY: optional(words(['on', 'off'] as const)),
  /** Circle's attestation service, for the chains that CCTP_CONTRACTS names. */
  CCTP_URL: optional(url),
  /** Where CCTP V2 is. Between two such chains it is used instead of our own bridge. */
  CCTP_CONTRACTS: optional(
    json(
      '{"sepolia":{"domain":0,"usdc":"0x…","token_messenger":"0x…","message_transmitter":"0x…"}}',
    ),
  ),
  /** Cardano's test network preprod by Blockfrost: `https://cardano-preprod.blockfrost.io/api/v0`. */
  CARDANO_URL: optional(url),
  CARDANO_PROJECT_ID: Type.String({ default: 'sandbox-cardano-project' }),
  /** Blocks before a transaction counts; 5 when absent, and 1 in the sandbox. */
  CARDANO_CONFIRMATIONS: optional(Type.Integer({ minimum: 1, maximum: 2160 })),
  /** The four social platforms of the rewards app, instead of the default ones. */
  REWARDS_PLATFORMS: optional(json('{"platform_1":{"names":["ig"],"hosts":["instagram.com"]},…}')),
  /** The country that a rewards-app phone number without its own country code belongs to. */
  REWARDS_DIAL_CODE: kinds.dialCode,
  /** Whether a rewards-app log-in needs a number just proven by a code. Default: in production. */
  REWARDS_LOGIN_CODE: optional(words(['required', 'off'] as const)),
});

/** Every setting there is, with its default where it has a fixed one. The README lists the same. */
export const SETTINGS: Readonly<Record<string, kinds.Setting>> = Settings.properties as Readonly<
  Record<string, object>
>;

type Read = Static<typeof Settings>;
/** Those whose default hangs on others. */
type Settled = keyof ReturnType<typeof settled>;
export type Config = Readonly<Omit<Read, Settled> & Required<Pick<Read, Settled>>>;

const DEFAULT_VALUES = Value.Default(Settings, {}) as Readonly<Record<string, unknown>>;

/**
 * Reads every setting once, at start; nothing else looks at the environment. An empty value counts as
 * not set. Throws naming every setting that is wrong.
 */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== '' && name in Settings.properties),
  );
  const read = Value.Convert(Settings, Value.Default(Settings, { ...DEFAULTS, ...given }));
  const settings = read as Read;
  const production = settings.NODE_ENV === 'production';
  const MOCK_MODE = settings.MOCK_MODE ?? !production;
  const faults = [
    ...wrongValues(Settings, read),
    ...faultsBetween(settings, production, MOCK_MODE),
  ];
  refuseIf(onePerSetting(faults), env);
  return Object.freeze({
    ...(production ? withoutSandboxCredentials(settings, DEFAULT_VALUES) : settings),
    ...settled(settings, { production, MOCK_MODE }),
  });
}

/** Names that look like a misspelt setting; others of the environment are not ours. */
export const misspeltSettings = (env: Readonly<Record<string, string | undefined>>): string[] =>
  misspelt(env, Object.keys(SETTINGS));

function refuseIf(faults: readonly string[], env: Parameters<typeof misspeltSettings>[0]): void {
  if (faults.length > 0) throw badConfiguration([...faults, ...misspeltSettings(env)]);
}

/** Whether provider simulators stand in where no real provider is configured; never in production. */
export const usesSandbox = (config: Config): boolean => config.NODE_ENV !== 'production';

/** The public address of the service, without a slash at the end. */
export const publicUrl = (config: Config): string =>
  (config.PUBLIC_URL ?? `http://localhost:${config.PORT}`).replace(/\/+$/, '');
