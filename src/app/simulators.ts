import { cardanoSandbox } from '#chains/cardano/node/sandbox-controls.ts';
import type { ManagedCardano } from '#chains/cardano/port.ts';
import type { ManagedNetwork } from '#chains/evm/network.ts';
import { chainControls, evmTaps, tokenIssuer } from '#chains/evm/node/sandbox-controls.ts';
import { CHAIN_KEYS, CHAINS } from '#chains/evm/port.ts';
import type { ManagedXrpl } from '#chains/xrpl/network.ts';
import { xrplSandbox } from '#chains/xrpl/node/sandbox-controls.ts';
import type { Db } from '#kernel/db/db.ts';
import { cardNetworkSimulator } from '#providers/card-network/simulator.ts';
import { etsySimulator } from '#providers/catalogue/etsy-simulator.ts';
import { pasarSimulator } from '#providers/catalogue/pasar-simulator.ts';
import { cctpChains } from '#providers/cctp/settings.ts';
import { cctpSimulator } from '#providers/cctp/simulator.ts';
import { exchangeSimulator } from '#providers/exchange/simulator.ts';
import { extauthSimulator } from '#providers/extauth/simulator.ts';
import { fxSimulator } from '#providers/fx/simulator.ts';
import { xenditSimulator } from '#providers/gateway/xendit-simulator.ts';
import { identitySimulator } from '#providers/identity/simulator.ts';
import { idrxSimulator } from '#providers/idrx/simulator.ts';
import { modelSimulator } from '#providers/language-model/simulator.ts';
import { messageSimulators } from '#providers/messages/simulator.ts';
import { partnerSimulator } from '#providers/partner/simulator.ts';
import { plaidSimulator } from '#providers/plaid/simulator.ts';
import { pspASimulator } from '#providers/psp-a/simulator.ts';
import { shopSimulator } from '#providers/shop/simulator.ts';
import { type FaucetReply, faucet } from '#sandbox/faucet.ts';
import { receiver } from '#sandbox/receiver.ts';
import type { Simulator } from '#sandbox/simulator.ts';
import type { Config } from '#src/config.ts';

export interface Simulators {
  /** Every simulated provider that the sandbox hosts. */
  readonly all: readonly Simulator[];
  /** Where the simulated mail server is. */
  smtpUrl(): string;
}

interface SimulatedChains {
  readonly evm: ManagedNetwork;
  readonly cardano: ManagedCardano;
  readonly xrpl: ManagedXrpl;
}

export function createSimulators(
  config: Config,
  db: Db,
  { evm, cardano, xrpl }: SimulatedChains,
): Simulators {
  const messages = messageSimulators(config);
  const taps = evmTaps(evm);
  const ada = cardanoSandbox({ projectId: config.CARDANO_PROJECT_ID, db, cardano });
  const xrp = xrplSandbox(xrpl);
  const providers = [
    cardNetworkSimulator(config),
    pspASimulator(config),
    xenditSimulator(config),
    exchangeSimulator(config, byNetwork(taps)),
    idrxSimulator(config, tokenIssuer(evm)),
    identitySimulator(config),
    extauthSimulator(config),
    partnerSimulator(config),
    plaidSimulator(config),
    fxSimulator(),
    receiver(),
    modelSimulator(config),
    shopSimulator(),
    etsySimulator(config),
    pasarSimulator(config),
    cctpSimulator(cctpChains(config), evm),
    chainControls(evm),
    ada.simulator,
    xrp.simulator,
    faucet({ ...taps, cardano: ada.tap, xrpl: xrp.tap }),
  ];
  return { all: [...messages.simulators, ...providers], smtpUrl: messages.smtpUrl };
}

/** The networks of an exchange that are test chains here, by its names: withdrawals arrive there. */
function byNetwork(
  taps: Readonly<Record<string, FaucetReply>>,
): Readonly<Record<string, FaucetReply>> {
  const known = { Ethereum: 'ETH', Polygon: 'MATIC' };
  const found = Object.entries(known).flatMap(([name, network]) => {
    const tap = taps[CHAIN_KEYS.find((key) => CHAINS[key].name === name) ?? ''];
    return tap ? [[network, tap] as const] : [];
  });
  return Object.fromEntries(found);
}
