import { type Config, usesSandbox } from '#kernel/config/config.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { gate } from '#kernel/provider-gate.ts';
import type { ProviderStatus } from '#kernel/provider-status.ts';
import type { BankHost } from '#providers/bank-host/port.ts';
import { bankHostProvider } from '#providers/bank-host/provider.ts';
import type { CardNetwork } from '#providers/card-network/port.ts';
import { cardNetworkProvider } from '#providers/card-network/provider.ts';
import { etsyProvider } from '#providers/catalogue/etsy/provider.ts';
import { pasarProvider } from '#providers/catalogue/pasar/provider.ts';
import type { Catalogues } from '#providers/catalogue/port.ts';
import type { Cctp } from '#providers/cctp/port.ts';
import { cctpProvider } from '#providers/cctp/provider.ts';
import type { ExchangePort } from '#providers/exchange/port.ts';
import { exchangeProvider } from '#providers/exchange/provider.ts';
import type { ExternalLogin } from '#providers/extauth/port.ts';
import { extauthProvider } from '#providers/extauth/provider.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { fxProvider } from '#providers/fx/provider.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import { xenditProvider } from '#providers/gateway/provider.ts';
import type { IdentityProvider } from '#providers/identity/port.ts';
import { identity } from '#providers/identity/provider.ts';
import type { TokenVendor } from '#providers/idrx/port.ts';
import { idrxGateway, idrxVendor } from '#providers/idrx/provider.ts';
import type { CardIssuing } from '#providers/issuing/port.ts';
import { issuingProvider } from '#providers/issuing/provider.ts';
import type { LanguageModel } from '#providers/language-model/port.ts';
import { languageModelProvider } from '#providers/language-model/provider.ts';
import {
  chatBots,
  createMessageSenders,
  type SandboxAddresses,
  smsWebhooks,
  whatsAppWebhooks,
} from '#providers/messages/adapter.ts';
import type {
  Channel,
  ChatBots,
  MessageReports,
  MessageSenders,
  SmsReports,
} from '#providers/messages/port.ts';
import { messageProviders } from '#providers/messages/provider.ts';
import type { PartnerProvider } from '#providers/partner/port.ts';
import { partner } from '#providers/partner/provider.ts';
import type { BankLink } from '#providers/plaid/port.ts';
import { plaidProvider } from '#providers/plaid/provider.ts';
import {
  type Provider,
  type ProviderSetup,
  type ProviderWiring,
  statusesOf,
} from '#providers/provider.ts';
import type { PspA } from '#providers/psp-a/port.ts';
import { pspAProvider } from '#providers/psp-a/provider.ts';
import { shopPages } from '#providers/shop/adapter.ts';
import type { ShopPages } from '#providers/shop/port.ts';
import { CHAIN_FAMILIES, type Chains, gateChains } from './chains.ts';
import type { MockProviders, MockSetup } from './sandbox-door.ts';

/** The world outside, as the features see it: one port per provider, and the chains. */
export interface Providers extends Chains {
  /** Whether any provider is a simulator, for the reference and the health page. */
  readonly sandboxed: boolean;
  /** The settings without which messages of that channel only wait. */
  lackingFor(channel: Channel): readonly string[];
  /** Whether it has its settings, or a simulator stands in for it. */
  isConfigured(name: ProviderName): boolean;
  readonly messageSenders: MessageSenders;
  readonly whatsAppReports: MessageReports;
  readonly smsReports: SmsReports;
  readonly chatBots: ChatBots;
  readonly cards: CardNetwork;
  readonly pspA: PspA;
  readonly gateway: Gateway;
  /** Pays banks in the other currencies. */
  readonly bankHost: BankHost;
  /** Issues cards on wallets. */
  readonly issuing: CardIssuing;
  /** Sells and redeems the rupiah token in the platform's place, where the settings choose one. */
  readonly tokenVendor: TokenVendor | undefined;
  readonly exchange: ExchangePort;
  readonly identity: IdentityProvider;
  readonly externalLogin: ExternalLogin;
  readonly partner: PartnerProvider;
  readonly bankLink: BankLink;
  readonly cctp: Cctp;
  readonly fx: ExchangeRates;
  readonly model: LanguageModel;
  /** Fetches the pages of shops that callers name. */
  readonly pages: ShopPages;
  readonly catalogues: Catalogues;
}

/** Every provider, in the order in which start and health show them. */
const PROVIDERS = [
  messageProviders,
  cardNetworkProvider,
  pspAProvider,
  xenditProvider,
  bankHostProvider,
  issuingProvider,
  exchangeProvider,
  idrxGateway,
  identity,
  extauthProvider,
  partner,
  plaidProvider,
  fxProvider,
  languageModelProvider,
  etsyProvider,
  pasarProvider,
  cctpProvider,
] as const;

export type ProviderName = keyof UnionToIntersection<(typeof PROVIDERS)[number]['needs']>;
type UnionToIntersection<U> = (U extends unknown ? (one: U) => void : never) extends (
  all: infer I,
) => void
  ? I
  : never;
export type ProviderStatuses = Readonly<
  Record<ProviderName, ProviderStatus> & Record<string, ProviderStatus>
>;

/** How every provider and chain is set up, by the settings alone, without any call. */
export function providerStatuses(config: Config): ProviderStatuses {
  const providers = PROVIDERS.map((one) => statusesOf<string>(one, config));
  const chains = CHAIN_FAMILIES.map(({ statuses }) => statuses(config));
  return Object.assign({}, ...providers, ...chains);
}

/** What is malformed in settings whose shape a provider or family knows, each said once. */
export function malformedSettings(config: Config): string[] {
  return [...CHAIN_FAMILIES, ...PROVIDERS].flatMap((one) => {
    try {
      one.checkSettings?.(config);
      return [];
    } catch (error) {
      return [(error as Error).message.replace(/^Bad configuration: /, '')];
    }
  });
}

/** Contracts of providers on the EVM chains. */
export const providerContracts = (config: Config): string[] =>
  PROVIDERS.flatMap(({ contracts }: ProviderSetup<string>) => [...(contracts?.(config) ?? [])]);

/** Where simulators stand in, and what the sandbox brings for mock mode; nothing of it in production. */
export interface SandboxPlace extends SandboxAddresses {
  readonly mockMode: ((setup: MockSetup) => MockProviders) | undefined;
}

/**
 * Joins every port with its adapter. A provider without a configured address is the sandbox's
 * simulator, which speaks the same wire format; in production nothing is called, and callers get
 * that as the answer.
 */
export function createProviders(kernel: Kernel, place: SandboxPlace, chains: Chains): Providers {
  const { config, log } = kernel;
  const sandboxed = usesSandbox(config);
  const statuses = providerStatuses(config);
  const wiring: ProviderWiring<MockProviders | undefined> = {
    kernel,
    at: (configured, prefix) => () => configured ?? (sandboxed ? `${place.url()}${prefix}` : ''),
    relayer: () => chains.evm.keys.relayer.address,
    mockMode: config.MOCK_MODE ? place.mockMode?.({ kernel, sandboxUrl: place.url }) : undefined,
  };
  const open: Open = (provider) => {
    const offline = provider.offline?.(wiring);
    if (offline) return offline;
    const [name = ''] = Object.keys(provider.needs);
    const status = statuses[name];
    if (status === undefined) throw new Error(`Provider ${name} is not listed`);
    return gate(provider.open(wiring), name, status, { log, ...provider.calls });
  };
  return {
    sandboxed,
    ...gateChains(kernel, chains),
    messageSenders: messageSenders(kernel, statuses, sandboxed ? place : undefined),
    whatsAppReports: whatsAppWebhooks(config),
    smsReports: smsWebhooks(config, kernel.publicUrl),
    chatBots: chatBots(config, sandboxed),
    cards: open(cardNetworkProvider),
    pspA: open(pspAProvider),
    ...rupiahProviders(config, wiring, open),
    bankHost: open(bankHostProvider),
    issuing: open(issuingProvider),
    exchange: open(exchangeProvider),
    identity: open(identity),
    externalLogin: open(extauthProvider),
    partner: open(partner),
    bankLink: open(plaidProvider),
    cctp: open(cctpProvider),
    fx: open(fxProvider),
    model: open(languageModelProvider),
    pages: shopPages({
      plainHttp: config.NODE_ENV !== 'production',
      allowed: () => (sandboxed ? [`${place.url()}/shop/`] : []),
    }),
    catalogues: { marketplace_1: open(etsyProvider), marketplace_2: open(pasarProvider) },
    lackingFor: (channel) => statuses[channel].lacking,
    isConfigured: (name) => statuses[name].lacking.length === 0,
  };
}

type Open = <Port extends object>(
  provider: Provider<string, Port, MockProviders | undefined>,
) => Port;

/** The gateway that the settings choose, and what only one of them does beside it. */
function rupiahProviders(
  { IDR_GATEWAY }: Config,
  { mockMode }: ProviderWiring<MockProviders | undefined>,
  open: Open,
): Pick<Providers, 'gateway' | 'tokenVendor'> {
  if (IDR_GATEWAY !== 'idrx') return { gateway: open(xenditProvider), tokenVendor: undefined };
  return { gateway: open(idrxGateway), tokenVendor: mockMode ? undefined : open(idrxVendor) };
}

function messageSenders(
  { config, log, publicUrl }: Kernel,
  statuses: ProviderStatuses,
  sandbox: SandboxAddresses | undefined,
): MessageSenders {
  const senders = createMessageSenders(config, sandbox, publicUrl);
  const sender = (channel: Channel) =>
    gate({ send: senders[channel] }, channel, statuses[channel], { log }).send;
  return {
    email: sender('email'),
    whatsapp: sender('whatsapp'),
    sms: sender('sms'),
    push: sender('push'),
    telegram: sender('telegram'),
  };
}

/** Whether the gateway takes payments for others than the issuer of a token, and has its settings. */
export const takesPayments = ({ isConfigured, tokenVendor }: Providers): boolean =>
  tokenVendor === undefined && isConfigured('gateway');
