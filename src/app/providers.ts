import type { Cardano } from '#chains/cardano/port.ts';
import type { EvmNetwork } from '#chains/evm/port.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { cardNetwork, cardSettings } from '#providers/card-network/adapter.ts';
import { offlineNetwork } from '#providers/card-network/offline.ts';
import type { CardNetwork } from '#providers/card-network/port.ts';
import { cctp } from '#providers/cctp/adapter.ts';
import type { Cctp } from '#providers/cctp/port.ts';
import { cctpChains } from '#providers/cctp/settings.ts';
import { extauthSettings, externalLogin } from '#providers/extauth/adapter.ts';
import type { ExternalLogin } from '#providers/extauth/port.ts';
import { exchangeRates } from '#providers/fx/adapter.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { identityProvider } from '#providers/identity/adapter.ts';
import type { IdentityProvider } from '#providers/identity/port.ts';
import { createMessageSenders, type SandboxAddresses } from '#providers/messages/adapter.ts';
import type { Channel, MessageSenders } from '#providers/messages/port.ts';
import { partnerProvider } from '#providers/partner/adapter.ts';
import type { PartnerProvider } from '#providers/partner/port.ts';
import { pspA } from '#providers/psp-a/adapter.ts';
import type { PspA } from '#providers/psp-a/port.ts';
import { usesSandbox } from '#src/config.ts';
import { gate, type Kinds } from './provider-gate.ts';
import { type ProviderName, providerStatuses } from './provider-status.ts';

/** The world outside, as the features see it: one port per provider. */
export interface Providers {
  /** Whether any provider is a simulator, for the reference and the health page. */
  readonly sandboxed: boolean;
  /** The settings without which messages of that channel only wait. */
  lackingFor(channel: Channel): readonly string[];
  readonly messageSenders: MessageSenders;
  readonly cards: CardNetwork;
  readonly pspA: PspA;
  readonly identity: IdentityProvider;
  readonly externalLogin: ExternalLogin;
  readonly partner: PartnerProvider;
  readonly evm: EvmNetwork;
  readonly cardano: Cardano;
  readonly cctp: Cctp;
  readonly fx: ExchangeRates;
}

/**
 * Joins every port with its adapter. A provider without a configured address is the sandbox's
 * simulator, which speaks the same wire format; in production nothing is called, and callers get
 * that as the answer.
 */
export function createProviders(
  kernel: Kernel,
  sandbox: SandboxAddresses,
  { evm, cardano }: { readonly evm: EvmNetwork; readonly cardano: Cardano },
): Providers {
  const { config } = kernel;
  const at = (configured: string | undefined, prefix: string) => () =>
    configured ?? (usesSandbox(config) ? `${sandbox.url()}${prefix}` : '');
  const sandboxed = usesSandbox(config);
  const statuses = providerStatuses(config);
  const gated = <P extends object>(name: ProviderName, port: P, kinds: Kinds<P> = {}): P =>
    gate(port, name, statuses[name], { log: kernel.log, ...kinds });
  const messageSenders = createMessageSenders(config, sandboxed ? sandbox : undefined);
  const sender = (channel: Channel) => gated(channel, { send: messageSenders[channel] }).send;
  return {
    sandboxed,
    evm,
    cardano: gated('cardano', cardano, {
      acts: ['send'],
      stays: ['isConfigured', 'network', 'identity', 'typedAddress'],
    }),
    cctp: gated(
      'cctp',
      cctp({
        url: at(config.CCTP_URL, '/cctp'),
        chains: cctpChains(config),
        relayer: evm.keys.relayer.address,
      }),
      { stays: ['joins', 'token', 'burnCalls', 'proveBurn', 'proveMint'] },
    ),
    fx: gated(
      'fx',
      exchangeRates({
        url: at(config.FX_URL, '/fx'),
        key: config.FX_KEY,
        maxAgeMs: config.FX_MAX_AGE * 1000,
        clock: kernel.clock,
      }),
    ),
    messageSenders: {
      email: sender('email'),
      whatsapp: sender('whatsapp'),
      sms: sender('sms'),
      push: sender('push'),
    },
    cards: config.MOCK_MODE
      ? offlineNetwork(kernel.clock)
      : gated(
          'card-network',
          cardNetwork(cardSettings(config, at(config.CARD_NETWORK_URL, '/card-network'))),
          { acts: ['validate', 'pull', 'push', 'reverse'] },
        ),
    pspA: gated('psp-a', pspA({ url: at(config.PSP_A_URL, '/psp-a'), key: config.PSP_A_KEY })),
    identity: gated(
      'identity',
      identityProvider({
        url: at(config.IDENTITY_URL, '/identity'),
        appToken: config.IDENTITY_APP_TOKEN,
        secret: config.IDENTITY_SECRET,
        webhookSecret: config.IDENTITY_WEBHOOK_SECRET,
        clock: kernel.clock,
      }),
      { stays: ['readWebhook'] },
    ),
    externalLogin: gated(
      'extauth',
      externalLogin(extauthSettings(config, kernel.clock, at(config.EXTAUTH_URL, '/extauth'))),
    ),
    partner: gated(
      'partner',
      partnerProvider({ url: at(config.PARTNER_URL, '/partner'), apiKey: config.PARTNER_API_KEY }),
      { acts: ['createCustomer'], stays: ['mode'] },
    ),
    lackingFor: (channel) => statuses[channel].lacking,
  };
}
