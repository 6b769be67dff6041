/** What settings that are one of several words are where nothing is said. */
export const DEFAULTS = {
  RATE_LIMITS: 'on',
  MIGRATE: 'on',
  DOCS: 'on',
  LOG_ADDRESSES: 'off',
  IDR_GATEWAY: 'xendit',
  IDRX_SIGNATURE: 'url',
  BURN_WITH_PRIVATE_KEY: 'on',
  EXCHANGE_ID: 'tokocrypto',
  LLM_JSON: 'schema',
};
