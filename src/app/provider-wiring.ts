import type { EvmNetwork } from '#chains/evm/port.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ProviderName } from './operate/provider-status.ts';
import type { PortCalls } from './provider-gate.ts';
import type { SandboxDoor } from './sandbox-door.ts';

/** What every adapter is made from. */
export interface Wiring {
  readonly kernel: Kernel;
  readonly evm: EvmNetwork;
  sandboxUrl(): string;
  /** Nothing in production. */
  readonly door: SandboxDoor | undefined;
  /** The configured address, else the simulator's under that prefix. */
  at(configured: string | undefined, prefix: string): () => string;
  /** The port, which answers that it is not configured where that is so. */
  gated<P extends object>(name: ProviderName, port: P, kinds?: PortCalls<P>): P;
}
