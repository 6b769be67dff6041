import type { Kernel } from '#kernel/kernel.ts';
import { createCouriers, type SandboxPlaces } from '#providers/messages/adapter.ts';
import type { Couriers } from '#providers/messages/port.ts';
import { usesSandbox } from './config.ts';

/** The world outside, as the features see it: one port per provider. */
export interface Providers {
  /** Whether any provider is a simulator, for the reference and the health page. */
  readonly sandboxed: boolean;
  readonly couriers: Couriers;
}

/**
 * Joins every port with its adapter. A provider without a configured address is the sandbox's
 * simulator, which speaks the same wire format; in production it is unreachable and says so.
 */
export function createProviders(kernel: Kernel, sandbox: SandboxPlaces): Providers {
  const { config } = kernel;
  const _at = (configured: string | undefined, prefix: string) => () =>
    configured ?? (usesSandbox(config) ? `${sandbox.url()}${prefix}` : '');
  const sandboxed = usesSandbox(config);
  return { sandboxed, couriers: createCouriers(config, sandboxed ? sandbox : undefined) };
}
