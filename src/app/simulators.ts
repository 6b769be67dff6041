import { cardanoSandbox } from '#chains/cardano/node/sandbox-controls.ts';
import type { Cardano } from '#chains/cardano/port.ts';
import type { ManagedNetwork } from '#chains/evm/network.ts';
import { chainControls, evmTaps } from '#chains/evm/node/sandbox-controls.ts';
import type { Db } from '#kernel/db/db.ts';
import { cardNetworkSimulator } from '#providers/card-network/simulator.ts';
import { cctpChains } from '#providers/cctp/settings.ts';
import { cctpSimulator } from '#providers/cctp/simulator.ts';
import { extauthSimulator } from '#providers/extauth/simulator.ts';
import { fxSimulator } from '#providers/fx/simulator.ts';
import { identitySimulator } from '#providers/identity/simulator.ts';
import { messageSimulators } from '#providers/messages/simulator.ts';
import { partnerSimulator } from '#providers/partner/simulator.ts';
import { pspASimulator } from '#providers/psp-a/simulator.ts';
import { faucet } from '#sandbox/faucet.ts';
import type { Simulator } from '#sandbox/simulator.ts';
import type { Config } from '#src/config.ts';

export interface Simulators {
  /** Every simulated provider that the sandbox hosts. */
  readonly all: readonly Simulator[];
  /** Where the simulated mail server is. */
  smtpUrl(): string;
}

export function createSimulators(
  config: Config,
  db: Db,
  { evm, cardano }: { readonly evm: ManagedNetwork; readonly cardano: Cardano },
): Simulators {
  const messages = messageSimulators(config);
  const ledger = cardanoSandbox({ projectId: config.CARDANO_PROJECT_ID, db, cardano });
  const providers = [
    cardNetworkSimulator(config),
    pspASimulator(config),
    identitySimulator(config),
    extauthSimulator(config),
    partnerSimulator(config),
    fxSimulator(),
    cctpSimulator(cctpChains(config), evm),
    chainControls(evm),
    ledger.simulator,
    faucet({ ...evmTaps(evm), cardano: ledger.tap }),
  ];
  return { all: [...messages.simulators, ...providers], smtpUrl: messages.smtpUrl };
}
