import { rpcUrlOf } from '#chains/evm/configure.ts';
import { CHAIN_KEYS, type ChainKey, rpcSetting } from '#chains/evm/port.ts';
import { type Config, usesSandbox } from '#kernel/config/config.ts';

/** What each provider cannot do without; the first is its address. */
const NEEDS = {
  email: ['SMTP_URL'],
  whatsapp: ['WHATSAPP_URL', 'WHATSAPP_PHONE_ID', 'WHATSAPP_TOKEN'],
  sms: ['SMS_URL', 'SMS_ACCOUNT', 'SMS_TOKEN'],
  push: ['PUSH_URL', 'PUSH_PROJECT', 'PUSH_TOKEN'],
  'card-network': ['CARD_NETWORK_URL', 'CARD_NETWORK_USER', 'CARD_NETWORK_PASSWORD'],
  'psp-a': ['PSP_A_URL', 'PSP_A_KEY'],
  gateway: ['GATEWAY_URL', 'GATEWAY_KEY', 'GATEWAY_CALLBACK_TOKEN'],
  exchange: ['EXCHANGE_URL', 'EXCHANGE_KEY', 'EXCHANGE_SECRET', 'EXCHANGE_BANK'],
  idrx: ['IDRX_URL', 'IDRX_API_KEY', 'IDRX_SECRET'],
  identity: ['IDENTITY_URL', 'IDENTITY_APP_TOKEN', 'IDENTITY_SECRET', 'IDENTITY_WEBHOOK_SECRET'],
  extauth: ['EXTAUTH_URL', 'EXTAUTH_APP_ID', 'EXTAUTH_APP_SECRET'],
  partner: ['PARTNER_URL', 'PARTNER_API_KEY'],
  plaid: ['PLAID_URL', 'PLAID_CLIENT_ID', 'PLAID_SECRET'],
  fx: ['FX_URL'],
  llm: ['LLM_URL', 'LLM_MODEL'],
  'marketplace-1': ['MARKETPLACE_1_URL', 'MARKETPLACE_1_KEY'],
  'marketplace-2': ['MARKETPLACE_2_URL', 'MARKETPLACE_2_KEY'],
  cctp: ['CCTP_URL'],
  cardano: ['CARDANO_URL', 'CARDANO_PROJECT_ID'],
  xrpl: ['XRPL_URL'],
} as const satisfies Readonly<Record<string, readonly (keyof Config)[]>>;

export type ProviderName = keyof typeof NEEDS;

export interface ProviderStatus {
  /**
   * `sandbox` is a stand-in of ours: a simulator, or a chain's embedded node. `not used` is what no
   * setting asks for.
   */
  readonly state: 'configured' | 'sandbox' | 'not configured' | 'not used';
  readonly address: keyof Config;
  /** The settings that it lacks. */
  readonly lacking: readonly (keyof Config)[];
}

export type ProviderStatuses = Readonly<Record<ProviderName | ChainKey, ProviderStatus>>;

/** How every provider and chain is set up, by the settings alone, without any call. */
export function providerStatuses(config: Config): ProviderStatuses {
  const providers = Object.keys(NEEDS).map((name) => [
    name,
    statusOf(config, name as ProviderName),
  ]);
  const chains = CHAIN_KEYS.map((key) => [key, chainStatus(config, key)]);
  return Object.fromEntries([...providers, ...chains]) as ProviderStatuses;
}

function chainStatus(config: Config, key: ChainKey): ProviderStatus {
  const address = rpcSetting(key);
  if (rpcUrlOf(config, key) !== undefined) return { state: 'configured', address, lacking: [] };
  if (usesSandbox(config)) return { state: 'sandbox', address, lacking: [] };
  return { state: 'not configured', address, lacking: [address] };
}

function statusOf(config: Config, name: ProviderName): ProviderStatus {
  const [address, ...credentials] = NEEDS[name] as readonly (keyof Config)[];
  if (address === undefined) throw new Error(`${name} needs nothing`);
  const isUnset = (setting: keyof Config) => (config[setting] ?? '') === '';
  if (isUnneeded(config, name)) return { state: 'not used', address, lacking: [] };
  if (usesSandbox(config) && isUnset(address)) return { state: 'sandbox', address, lacking: [] };
  const lacking = [address, ...credentials].filter(
    (setting) => isUnset(setting) && !hasOther(config, setting),
  );
  return { state: lacking.length === 0 ? 'configured' : 'not configured', address, lacking };
}

/** Without CCTP's contracts our own bridge is used everywhere; of the gateways one is used. */
function isUnneeded({ CCTP_CONTRACTS, IDR_GATEWAY }: Config, name: ProviderName): boolean {
  if (name === 'cctp') return CCTP_CONTRACTS === undefined;
  if (name === 'gateway') return IDR_GATEWAY !== 'xendit';
  return name === 'idrx' && IDR_GATEWAY !== 'idrx';
}

/** Tokens for pushes are made from an account, where there is one. */
const hasOther = ({ PUSH_ACCOUNT_FILE }: Config, setting: keyof Config): boolean =>
  setting === 'PUSH_TOKEN' && PUSH_ACCOUNT_FILE !== undefined;

/** For people at the start: one line each, in columns. */
export function providerTable(statuses: ProviderStatuses): string[] {
  const rows = Object.entries(statuses).map(([name, { state, address, lacking }]) => [
    name,
    lacking.length > 0 ? lacking.join(', ') : address,
    state === 'not configured' ? 'NOT CONFIGURED' : state,
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => row.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  '));
}
