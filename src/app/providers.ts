import type { Cardano } from '#chains/cardano/port.ts';
import type { EvmNetwork } from '#chains/evm/port.ts';
import type { XrplNetwork } from '#chains/xrpl/port.ts';
import { usesSandbox } from '#kernel/config/config.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { cardNetwork, cardSettings } from '#providers/card-network/adapter.ts';
import { offlineNetwork } from '#providers/card-network/offline.ts';
import type { CardNetwork } from '#providers/card-network/port.ts';
import { etsyCatalogue } from '#providers/catalogue/etsy/adapter.ts';
import { pasarCatalogue } from '#providers/catalogue/pasar/adapter.ts';
import type { Catalogues } from '#providers/catalogue/port.ts';
import { cctp } from '#providers/cctp/adapter.ts';
import type { Cctp } from '#providers/cctp/port.ts';
import { cctpChains } from '#providers/cctp/settings.ts';
import { exchangeAdapter } from '#providers/exchange/adapter.ts';
import type { ExchangePort } from '#providers/exchange/port.ts';
import { extauthSettings, externalLogin } from '#providers/extauth/adapter.ts';
import type { ExternalLogin } from '#providers/extauth/port.ts';
import { exchangeRates } from '#providers/fx/adapter.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { identityProvider } from '#providers/identity/adapter.ts';
import type { IdentityProvider } from '#providers/identity/port.ts';
import { languageModel } from '#providers/language-model/adapter.ts';
import type { LanguageModel } from '#providers/language-model/port.ts';
import {
  createMessageSenders,
  type SandboxAddresses,
  whatsAppWebhooks,
} from '#providers/messages/adapter.ts';
import type { Channel, MessageReports, MessageSenders } from '#providers/messages/port.ts';
import { partnerProvider } from '#providers/partner/adapter.ts';
import type { PartnerProvider } from '#providers/partner/port.ts';
import { bankLink } from '#providers/plaid/adapter.ts';
import type { BankLink } from '#providers/plaid/port.ts';
import { pspA } from '#providers/psp-a/adapter.ts';
import type { PspA } from '#providers/psp-a/port.ts';
import { shopPages } from '#providers/shop/adapter.ts';
import type { ShopPages } from '#providers/shop/port.ts';
import { type ProviderName, providerStatuses } from './operate/provider-status.ts';
import { gate } from './provider-gate.ts';
import type { Wiring } from './provider-wiring.ts';
import { type RupiahProviders, rupiahProviders } from './rupiah-providers.ts';

/** The world outside, as the features see it: one port per provider. */
export interface Providers extends RupiahProviders {
  /** Whether any provider is a simulator, for the reference and the health page. */
  readonly sandboxed: boolean;
  /** The settings without which messages of that channel only wait. */
  lackingFor(channel: Channel): readonly string[];
  /** Whether it has its settings, or a simulator stands in for it. */
  isConfigured(name: ProviderName): boolean;
  readonly messageSenders: MessageSenders;
  readonly whatsAppReports: MessageReports;
  readonly cards: CardNetwork;
  readonly pspA: PspA;
  readonly exchange: ExchangePort;
  readonly identity: IdentityProvider;
  readonly externalLogin: ExternalLogin;
  readonly partner: PartnerProvider;
  readonly bankLink: BankLink;
  readonly evm: EvmNetwork;
  readonly cardano: Cardano;
  readonly xrpl: XrplNetwork;
  readonly cctp: Cctp;
  readonly fx: ExchangeRates;
  readonly model: LanguageModel;
  readonly pages: ShopPages;
  readonly catalogues: Catalogues;
}

/**
 * Joins every port with its adapter. A provider without a configured address is the sandbox's
 * simulator, which speaks the same wire format; in production nothing is called, and callers get
 * that as the answer.
 */
export function createProviders(
  kernel: Kernel,
  sandbox: SandboxAddresses & Pick<Wiring, 'door'>,
  { evm, cardano, xrpl }: Pick<Providers, 'evm' | 'cardano' | 'xrpl'>,
): Providers {
  const { config } = kernel;
  const sandboxed = usesSandbox(config);
  const statuses = providerStatuses(config);
  const wiring: Wiring = {
    kernel,
    evm,
    sandboxUrl: sandbox.url,
    door: sandbox.door,
    at: (configured, prefix) => () => configured ?? (sandboxed ? `${sandbox.url()}${prefix}` : ''),
    gated: (name, port, kinds = {}) =>
      gate(port, name, statuses[name], { log: kernel.log, ...kinds }),
  };
  return {
    sandboxed,
    evm,
    xrpl: wiring.gated('xrpl', xrpl, {
      local: [
        ...(['hashOf', 'referenceOf', 'forgetOld', 'forbids', 'forbidden', 'isOwn'] as const),
        'paymentFee',
      ],
    }),
    cardano: wiring.gated('cardano', cardano, {
      acts: ['send'],
      local: [
        ...(['isConfigured', 'network', 'identity', 'typedAddress', 'costOf'] as const),
        ...(['listen', 'monitorOpen', 'forgetOld', 'forbids', 'forbidden'] as const),
      ],
    }),
    messageSenders: messageSenders(wiring, sandboxed ? sandbox : undefined),
    whatsAppReports: whatsAppWebhooks(config),
    ...peopleProviders(wiring),
    ...bankProviders(wiring),
    ...marketProviders(wiring),
    ...cardProviders(wiring),
    model: languageModelProvider(wiring),
    pages: shopPages({
      plainHttp: config.NODE_ENV !== 'production',
      allowed: () => (sandboxed ? [`${sandbox.url()}/shop/`] : []),
    }),
    catalogues: shopProviders(wiring),
    lackingFor: (channel) => statuses[channel].lacking,
    isConfigured: (name) => statuses[name].lacking.length === 0,
  };
}

function messageSenders(
  { kernel, gated }: Wiring,
  sandbox: SandboxAddresses | undefined,
): MessageSenders {
  const senders = createMessageSenders(kernel.config, sandbox);
  const sender = (channel: Channel) => gated(channel, { send: senders[channel] }).send;
  return {
    email: sender('email'),
    whatsapp: sender('whatsapp'),
    sms: sender('sms'),
    push: sender('push'),
  };
}

/** Those who know customers and prove who somebody is. */
function peopleProviders({ kernel: { config, clock }, at, gated }: Wiring) {
  return {
    pspA: gated('psp-a', pspA({ url: at(config.PSP_A_URL, '/psp-a'), key: config.PSP_A_KEY })),
    identity: gated(
      'identity',
      identityProvider({
        url: at(config.IDENTITY_URL, '/identity'),
        appToken: config.IDENTITY_APP_TOKEN,
        secret: config.IDENTITY_SECRET,
        webhookSecret: config.IDENTITY_WEBHOOK_SECRET,
        clock,
      }),
      { local: ['readWebhook'] },
    ),
    externalLogin: gated(
      'extauth',
      externalLogin(extauthSettings(config, clock, at(config.EXTAUTH_URL, '/extauth'))),
    ),
    partner: gated(
      'partner',
      partnerProvider({ url: at(config.PARTNER_URL, '/partner'), apiKey: config.PARTNER_API_KEY }),
      { acts: ['createCustomer'], local: ['mode'] },
    ),
  };
}

/** Those who move money between banks. */
function bankProviders(wiring: Wiring) {
  const { kernel, at, gated } = wiring;
  const { config, clock } = kernel;
  return {
    ...rupiahProviders(wiring),
    bankLink: gated(
      'plaid',
      bankLink({
        url: at(config.PLAID_URL, '/plaid'),
        clientId: config.PLAID_CLIENT_ID,
        secret: config.PLAID_SECRET,
        clock,
      }),
      {
        acts: ['exchange', 'authorize', 'createTransfer'],
        local: ['isGenuine', 'readWebhook', 'mode'],
      },
    ),
  };
}

/** Exchange rates, and the exchange. */
function marketProviders({ kernel: { config, clock }, at, gated }: Wiring) {
  return {
    fx: gated(
      'fx',
      exchangeRates({
        url: at(config.FX_URL, '/fx'),
        key: config.FX_KEY,
        maxAgeMs: config.FX_MAX_AGE * 1000,
        clock,
      }),
    ),
    exchange: gated(
      'exchange',
      exchangeAdapter({
        id: config.EXCHANGE_ID,
        url: at(config.EXCHANGE_URL, '/exchange'),
        key: config.EXCHANGE_KEY,
        secret: config.EXCHANGE_SECRET,
        clock,
        isLimited: config.EXCHANGE_URL !== undefined,
      }),
    ),
  };
}

/** What reads and writes sentences. */
const languageModelProvider = ({ kernel: { config }, at, gated }: Wiring): LanguageModel =>
  gated(
    'llm',
    languageModel({
      url: at(config.LLM_URL, '/llm/v1'),
      key: config.LLM_KEY,
      model: config.LLM_MODEL,
      json: config.LLM_JSON,
      timeoutMs: config.LLM_TIMEOUT * 1000,
    }),
  );
/** Those who know what shops sell. */
function shopProviders({ kernel: { config }, at, gated }: Wiring): Catalogues {
  const { MARKETPLACE_1_URL, MARKETPLACE_1_KEY, MARKETPLACE_2_URL, MARKETPLACE_2_KEY } = config;
  const [first, second] = [
    at(MARKETPLACE_1_URL, '/marketplace-1'),
    at(MARKETPLACE_2_URL, '/marketplace-2'),
  ];
  return {
    marketplace_1: gated('marketplace-1', etsyCatalogue({ url: first, key: MARKETPLACE_1_KEY })),
    marketplace_2: gated('marketplace-2', pasarCatalogue({ url: second, key: MARKETPLACE_2_KEY })),
  };
}

/** Those who charge cards, and who let USDC go from chain to chain. */
function cardProviders({ kernel: { config, clock }, evm, at, gated }: Wiring) {
  return {
    cards: config.MOCK_MODE
      ? offlineNetwork(clock)
      : gated(
          'card-network',
          cardNetwork(cardSettings(config, at(config.CARD_NETWORK_URL, '/card-network'))),
          { acts: ['validate', 'pull', 'push', 'reverse'] },
        ),
    cctp: gated(
      'cctp',
      cctp({
        url: at(config.CCTP_URL, '/cctp'),
        chains: cctpChains(config),
        relayer: () => evm.keys.relayer.address,
      }),
      { local: ['joins', 'token', 'burnCalls', 'proveBurn', 'proveMint'] },
    ),
  };
}
