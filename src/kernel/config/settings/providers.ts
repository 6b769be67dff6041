import { Type } from 'typebox';
import {
  acquiringBin,
  bankPlace,
  bic,
  cardProducts,
  hostAccounts,
  json,
  optional,
  setting,
  sharedSecret,
  url,
  words,
} from '../setting-kinds.ts';

/** Providers. */
export const PROVIDERS_SETTINGS = {
  PSP_A_URL: setting(optional(url), '`https://api.xendit.co`', { usually: 'sandbox' }),
  PSP_A_KEY: setting(Type.String({ default: 'sandbox-psp-a-key' }), 'secret key'),
  IDR_GATEWAY: setting(
    words(['xendit', 'idrx'] as const, 'xendit'),
    'who takes payments and makes pay-outs in rupiah: `xendit`, or `idrx`, which issues and redeems the token itself',
  ),
  GATEWAY_URL: setting(optional(url), '`https://api.xendit.co`', { usually: 'sandbox' }),
  GATEWAY_KEY: setting(
    Type.String({ default: 'sandbox-gateway-key' }),
    'secret key, with leave to move money in and out',
  ),
  GATEWAY_CALLBACK_TOKEN: setting(
    Type.String({ default: 'sandbox-gateway-callback-token' }),
    'verification token of its call-backs',
  ),
  BANK_HOST_URL: setting(
    optional(url),
    'address of the bank that pays out the other currencies by ISO 20022 files over HTTPS',
    { usually: 'sandbox' },
  ),
  BANK_HOST_KEY: setting(
    Type.String({ default: 'sandbox-bank-host-key' }),
    'key there, with leave to submit payments and read notifications',
  ),
  BANK_HOST_BIC: setting(bic, 'BIC of that bank'),
  BANK_HOST_NAME: setting(
    Type.String({ default: 'Archipay' }),
    'name of the holder of our accounts there: payees see it as the payer',
  ),
  BANK_HOST_ACCOUNTS: setting(
    hostAccounts,
    'our accounts there, `currency:account number` in a list by commas: banks are paid in these currencies, beside IDR',
  ),
  ISSUING_URL: setting(
    optional(url),
    '`https://sandbox-api.marqeta.com`: the processor that issues cards on wallets',
    { usually: 'sandbox' },
  ),
  ISSUING_APP_TOKEN: setting(
    Type.String({ default: 'sandbox-issuing-app' }),
    'application token there',
  ),
  ISSUING_ADMIN_TOKEN: setting(
    Type.String({ default: 'sandbox-issuing-admin-token' }),
    'admin access token there',
  ),
  ISSUING_CALLBACK_USER: setting(
    Type.String({ default: 'archipay' }),
    'the name by which the processor proves its calls to us, as we have given it',
  ),
  ISSUING_CALLBACK_PASSWORD: setting(
    Type.String({ default: 'A1-sandbox-issuing-calls' }),
    'the password to that',
  ),
  ISSUING_CALLBACK_SECRET: setting(
    optional(sharedSecret),
    'secret by which the processor signs its calls to us beside that (HMAC-SHA256)',
  ),
  ISSUING_CARD_PRODUCTS: setting(
    cardProducts,
    'its card products, `currency:token` in a list by commas: cards are issued on wallets in these currencies',
  ),
  ISSUING_PAGES_URL: setting(
    optional(url),
    'address of the pages of the processor, on which people see the number of their card and set its PIN',
    { usually: 'sandbox' },
  ),
  PROVIDER_PRICES: setting(
    optional(json('{"gateway.payout":"2775","gateway.qris":"0.7%"}')),
    "JSON: what providers take for a transaction by your contract with them, in rupiah (`gateway.payout`, `gateway.payout_least`, `gateway.va`, `gateway.qris`, `gateway.ewallet`), in dollars (`card.top_up`, `card.push`, `bank.top_up`, `bank.payout`) or in percent (`0.7%`); otherwise Xendit's public list, 0.50 dollars for a payout in other currencies, and 0 for cards and bank debits",
  ),
  EXCHANGE_ID: setting(
    words(['tokocrypto'] as const, 'tokocrypto'),
    "the exchange that sells USDC for rupiah, by ccxt's name",
  ),
  EXCHANGE_URL: setting(optional(url), 'its address: `https://www.tokocrypto.com`', {
    usually: 'sandbox',
  }),
  EXCHANGE_KEY: setting(
    Type.String({ default: 'sandbox-exchange-key' }),
    'key there, with leave to trade and withdraw',
  ),
  EXCHANGE_SECRET: setting(
    Type.String({ default: 'sandbox-exchange-secret' }),
    'signs our requests',
  ),
  EXCHANGE_BANK: setting(bankPlace, 'where rupiah go to reach it: `bank code:account number:name`'),
  EXCHANGE_SLIPPAGE: setting(
    Type.Integer({ minimum: 0, maximum: 100, default: 3 }),
    'percent by which the exchange may be dearer than the reference rate before an order waits; `100` for any price',
  ),
  RECONCILIATION_TOLERANCE: setting(
    Type.Integer({ minimum: 0, default: 0 }),
    'rupiah that ledger and gateway may be apart before money is sent to the exchange',
  ),
  IDRX_URL: setting(optional(url), '`https://api.idrx.co`', { usually: 'sandbox' }),
  IDRX_API_KEY: setting(Type.String({ default: 'sandbox-idrx-key' }), 'API key'),
  IDRX_SECRET: setting(Type.String({ default: 'sandbox-idrx-secret' }), 'its secret, in base64'),
  IDRX_SIGNATURE: setting(
    words(['url', 'path'] as const, 'url'),
    "which of IDRX's two published forms signs requests: `url` or `path`",
  ),
  CARD_NETWORK_URL: setting(
    optional(url),
    "Visa's address, such as `https://sandbox.api.visa.com`",
    { usually: 'sandbox' },
  ),
  CARD_NETWORK_USER: setting(
    Type.String({ default: 'sandbox-card-user' }),
    'user id of the project',
  ),
  CARD_NETWORK_PASSWORD: setting(Type.String({ default: 'sandbox-card-password' }), 'its password'),
  CARD_NETWORK_CERT_FILE: setting(optional(Type.String()), 'PEM file of the client certificate'),
  CARD_NETWORK_KEY_FILE: setting(optional(Type.String()), 'PEM file of its key'),
  CARD_NETWORK_MLE_KEY_ID: setting(
    optional(Type.String()),
    'message-level encryption: id of the pair of keys',
  ),
  CARD_NETWORK_MLE_CERT_FILE: setting(
    optional(Type.String()),
    "PEM file of the network's certificate for it",
  ),
  CARD_NETWORK_MLE_KEY_FILE: setting(optional(Type.String()), 'PEM file of our RSA key for it'),
  CARD_ACQUIRING_BIN: setting(
    acquiringBin,
    'six digits under which the network knows the platform',
  ),
  MARKETPLACE_1_URL: setting(optional(url), '`https://api.etsy.com`: goods with prices in USD', {
    usually: 'sandbox',
  }),
  MARKETPLACE_1_KEY: setting(
    Type.String({ default: 'sandbox-marketplace-1-key' }),
    '`keystring:shared secret` of the app there',
  ),
  MARKETPLACE_2_URL: setting(
    optional(url),
    'a catalogue of goods with prices in IDR, of [our shape](../src/providers/catalogue/pasar/wire.ts)',
    { usually: 'sandbox' },
  ),
  MARKETPLACE_2_KEY: setting(
    Type.String({ default: 'sandbox-marketplace-2-key' }),
    'bearer token at it',
  ),
  IDENTITY_URL: setting(optional(url), '`https://api.sumsub.com`', { usually: 'sandbox' }),
  IDENTITY_APP_TOKEN: setting(Type.String({ default: 'sbx:sandbox-identity-token' }), 'app token'),
  IDENTITY_SECRET: setting(
    Type.String({ default: 'sandbox-identity-secret' }),
    'signs our requests',
  ),
  IDENTITY_WEBHOOK_SECRET: setting(
    Type.String({ default: 'sandbox-identity-webhook-secret' }),
    'signs their webhooks',
  ),
  EXTAUTH_URL: setting(optional(url), '`https://api.privy.io`', { usually: 'sandbox' }),
  EXTAUTH_JWKS_URL: setting(optional(url), "the provider's key set", {
    usually: "Privy's for the app",
  }),
  EXTAUTH_APP_ID: setting(
    Type.String({ default: 'sandbox-extauth-app' }),
    'app id, the audience of tokens',
  ),
  EXTAUTH_APP_SECRET: setting(Type.String({ default: 'sandbox-extauth-secret' }), 'app secret'),
  EXTAUTH_VERIFICATION_KEY: setting(
    optional(Type.String()),
    "PEM of the provider's key, instead of its key set",
  ),
  PARTNER_URL: setting(optional(url), '`https://api.bridge.xyz`', { usually: 'sandbox' }),
  PARTNER_API_KEY: setting(
    Type.String({ default: 'sandbox-partner-key' }),
    'key at the partner PSP',
  ),
  PLAID_URL: setting(
    optional(url),
    '`https://production.plaid.com`, or `https://sandbox.plaid.com`: bank accounts and ACH',
    { usually: 'sandbox' },
  ),
  PLAID_CLIENT_ID: setting(Type.String({ default: 'sandbox-plaid-client' }), 'client id'),
  PLAID_SECRET: setting(Type.String({ default: 'sandbox-plaid-secret' }), 'its secret'),
  FX_URL: setting(optional(url), '`https://api.coinbase.com`: rates and prices', {
    usually: 'sandbox',
  }),
  FX_KEY: setting(
    optional(Type.String()),
    'sent as a bearer token, where that address asks for one',
  ),
  FX_MAX_AGE: setting(
    Type.Integer({ minimum: 10, maximum: 86_400, default: 600 }),
    'seconds for which rates still count while their provider is away',
  ),
  LLM_URL: setting(
    optional(url),
    "a language model on any server with OpenAI's chat API: `https://api.openai.com/v1`",
    { usually: 'sandbox' },
  ),
  LLM_KEY: setting(
    Type.String({ default: 'sandbox-llm-key' }),
    'its key; empty where it asks for none',
  ),
  LLM_MODEL: setting(Type.String({ default: 'sandbox-rules' }), 'which of its models'),
  LLM_TIMEOUT: setting(
    Type.Integer({ minimum: 1, maximum: 120, default: 20 }),
    'seconds in which it has to have answered',
  ),
  LLM_JSON: setting(
    words(['schema', 'object'] as const, 'schema'),
    'whether the server takes a JSON schema, or (`object`) only that JSON is wanted',
  ),
};
