import type { Config } from '#kernel/config/config.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { PortCalls } from '#kernel/provider-gate.ts';
import {
  type NeededSettings,
  notUsed,
  type ProviderStatus,
  statusBySettings,
} from '#kernel/provider-status.ts';

/** What adapters are made from. */
export interface ProviderWiring<MockMode = unknown> {
  readonly kernel: Pick<Kernel, 'config' | 'clock' | 'publicUrl'>;
  /** The configured address, else the simulator's under that prefix. */
  at(configured: string | undefined, prefix: string): () => string;
  /** Address of the wallet that pays gas for the platform. */
  relayer(): `0x${string}`;
  /** Providers of the sandbox that settle by themselves, in mock mode only; undefined in production. */
  readonly mockMode: MockMode;
}

/** How a provider is set up; under several names where it carries several channels. */
export interface ProviderSetup<Name extends string> {
  readonly needs: Readonly<Record<Name, NeededSettings>>;
  /** Settings that may be given by others. */
  readonly alternatives?: Readonly<Partial<Record<keyof Config, keyof Config>>>;
  /** Which of its names the settings ask for; all without it. */
  isUsed?(config: Config, name: Name): boolean;
  /** Contracts of the provider on the EVM chains: nothing may be sent to them. */
  contracts?(config: Config): readonly string[];
  /** Throws where a setting is malformed. */
  checkSettings?(config: Config): unknown;
}

/**
 * A provider describes itself: its settings, its adapter, and which calls of its port act. `src/app/providers.ts`
 * lists the providers; start, health and metrics read them.
 */
export interface Provider<Name extends string, Port extends object, MockMode = unknown>
  extends ProviderSetup<Name> {
  open(wiring: ProviderWiring<MockMode>): Port;
  /** What stands in for it in mock mode and calls nothing, so that it lacks no setting. */
  offline?(wiring: ProviderWiring<MockMode>): Port | undefined;
  /** Which functions of the port act and which make no call; all others ask. */
  readonly calls?: PortCalls<Port>;
}

/** How each name of a provider is set up, by the settings alone. */
export function statusesOf<Name extends string>(
  { needs, alternatives, isUsed = () => true }: ProviderSetup<Name>,
  config: Config,
): Readonly<Record<Name, ProviderStatus>> {
  const names = Object.keys(needs) as Name[];
  const statuses = names.map((name) => [
    name,
    isUsed(config, name)
      ? statusBySettings(config, needs[name], alternatives)
      : notUsed(needs[name]),
  ]);
  return Object.fromEntries(statuses) as Record<Name, ProviderStatus>;
}
