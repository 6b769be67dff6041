import { createXrplNetwork } from '#chains/xrpl/network.ts';
import type { ManagedXrpl } from '#chains/xrpl/port.ts';
import type { Outcome } from '#kernel/effects/outcome.ts';
import { createLog } from '#kernel/log.ts';
import { xrplSandbox } from '#sandbox/chains/xrpl/sandbox-controls.ts';
import { sandboxHelp } from '#sandbox/chains/xrpl/sandbox-help.ts';
import { faucet } from '#sandbox/faucet.ts';
import { atEnd } from './at-end.ts';
import { testSandbox } from './sandbox.ts';

export const MNEMONIC = 'test test test test test test test test test test test junk';

/** The value of a certain answer; any other fails the test. */
export function doneBy<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'done') return outcome.value;
  throw new Error(`Not done: ${JSON.stringify(outcome)}`);
}

/** The sandbox's ledger over real sockets, and the adapter of ours at it. */
export async function testLedger() {
  let url = '';
  const sandboxUrl = () => url;
  const holder: { network?: ManagedXrpl } = {};
  const late = new Proxy({} as ManagedXrpl, {
    get: (_, name) => holder.network?.[name as keyof ManagedXrpl],
  });
  const simulators = () => {
    const ledger = xrplSandbox(late);
    return [ledger.simulator, faucet({ xrpl: ledger.tap })];
  };
  const sandbox = await testSandbox(...simulators());
  url = sandbox.url;
  const open = () =>
    createXrplNetwork({
      db: sandbox.db as never,
      log: createLog('silent'),
      mnemonic: MNEMONIC,
      url: () => `${url.replace('http', 'ws')}/xrpl`,
      sandbox: sandboxHelp(sandboxUrl),
    });
  const network = open();
  holder.network = network;
  atEnd(() => network.stop());
  return {
    sandbox,
    network,
    /** Another process's view of the same ledger and journal. */
    open,
    /** Another process hosts the ledger from then on. */
    restart: (away: () => Promise<void>) => sandbox.restart(away, ...simulators()),
    url: `${url.replace('http', 'ws')}/xrpl`,
    fault: (kind: string, times = 1, ms = 0) =>
      sandbox.control('POST /faults', { provider: 'xrpl', kind, times, ms }),
  };
}
