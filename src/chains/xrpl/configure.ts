import type { Kernel } from '#kernel/kernel.ts';
import { createXrplNetwork, type ManagedXrpl } from './network.ts';
import type { SandboxHelp } from './setup.ts';

interface XrplSetup {
  readonly mnemonic: string;
  sandboxUrl(): string;
  /** The controls of the sandbox's own ledger, where a sandbox runs. */
  readonly sandbox: SandboxHelp | undefined;
}

/** The configured ledger, or the sandbox's own, which is reached by the same protocol. */
export function openXrpl(
  { config, db, log }: Pick<Kernel, 'config' | 'db' | 'log'>,
  { mnemonic, sandboxUrl, sandbox }: XrplSetup,
): ManagedXrpl {
  const configured = config.XRPL_URL;
  return createXrplNetwork({
    db,
    log,
    mnemonic,
    url: () => configured ?? `${sandboxUrl().replace(/^http/, 'ws')}/xrpl`,
    ...(configured === undefined && { sandbox }),
  });
}
