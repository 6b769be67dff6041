import { CHAIN_KEYS, CHAINS } from '#chains/evm/port.ts';
import type { Config } from '#kernel/config/config.ts';
import type { Db } from '#kernel/db/db.ts';
import { cctpChains } from '#providers/cctp/settings.ts';
import { cardanoSandbox } from '#sandbox/chains/cardano/sandbox-controls.ts';
import { chainControls, evmTaps, tokenIssuer } from '#sandbox/chains/evm/sandbox-controls.ts';
import { xrplSandbox } from '#sandbox/chains/xrpl/sandbox-controls.ts';
import { type FaucetReply, faucet } from '#sandbox/faucet.ts';
import { bankHostSimulator } from '#sandbox/providers/bank-host/simulator.ts';
import { cardNetworkSimulator } from '#sandbox/providers/card-network/simulator.ts';
import { etsySimulator } from '#sandbox/providers/catalogue/etsy-simulator.ts';
import { pasarSimulator } from '#sandbox/providers/catalogue/pasar-simulator.ts';
import { cctpSimulator } from '#sandbox/providers/cctp/simulator.ts';
import { exchangeSimulator } from '#sandbox/providers/exchange/simulator.ts';
import { extauthSimulator } from '#sandbox/providers/extauth/simulator.ts';
import { fxSimulator } from '#sandbox/providers/fx/simulator.ts';
import { xenditSimulator } from '#sandbox/providers/gateway/xendit-simulator.ts';
import { identitySimulator } from '#sandbox/providers/identity/simulator.ts';
import { idrxSimulator } from '#sandbox/providers/idrx/simulator.ts';
import { issuingSimulator } from '#sandbox/providers/issuing/simulator.ts';
import { modelSimulator } from '#sandbox/providers/language-model/simulator.ts';
import { messageSimulators } from '#sandbox/providers/messages/simulator.ts';
import { partnerSimulator } from '#sandbox/providers/partner/simulator.ts';
import { plaidSimulator } from '#sandbox/providers/plaid/simulator.ts';
import { pspASimulator } from '#sandbox/providers/psp-a/simulator.ts';
import { shopSimulator } from '#sandbox/providers/shop/simulator.ts';
import { receiver } from '#sandbox/receiver.ts';
import type { Simulator } from '#sandbox/simulator.ts';
import type { Chains } from '#src/app/chains.ts';

export interface Simulators {
  /** Every simulated provider that the sandbox hosts. */
  readonly all: readonly Simulator[];
  /** Where the simulated mail server is. */
  smtpUrl(): string;
}

export function createSimulators(
  config: Config,
  db: Db,
  { evm, cardano, xrpl }: Chains,
): Simulators {
  const messages = messageSimulators(config);
  const taps = evmTaps(evm);
  const ada = cardanoSandbox({ projectId: config.CARDANO_PROJECT_ID, db, cardano });
  const xrp = xrplSandbox(xrpl);
  const providers = [
    cardNetworkSimulator(config),
    pspASimulator(config),
    xenditSimulator(config),
    bankHostSimulator(config),
    issuingSimulator(config),
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
