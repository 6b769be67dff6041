import type { Kernel } from '#kernel/kernel.ts';
import { usesSandbox } from '#src/config.ts';
import { createXrpl, type ManagedXrpl } from './network.ts';
import { sandboxHelp } from '#sandbox/chains/xrpl/sandbox-help.ts';

/** The configured ledger, or the sandbox's own, which is reached by the same protocol. */
export function openXrpl(
  { config, db, log }: Pick<Kernel, 'config' | 'db' | 'log'>,
  { mnemonic, sandboxUrl }: { readonly mnemonic: string; readonly sandboxUrl: () => string },
): ManagedXrpl {
  const configured = config.XRPL_URL;
  const isOurs = configured === undefined && usesSandbox(config);
  return createXrpl({
    db,
    log,
    mnemonic,
    url: () => configured ?? `${sandboxUrl().replace(/^http/, 'ws')}/xrpl`,
    ...(isOurs && { sandbox: sandboxHelp(sandboxUrl) }),
  });
}
