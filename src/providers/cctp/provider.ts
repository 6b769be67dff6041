import type { Provider } from '../provider.ts';
import { cctp } from './adapter.ts';
import type { Cctp } from './port.ts';
import { cctpChains } from './settings.ts';

export const cctpProvider: Provider<'cctp', Cctp> = {
  needs: { cctp: ['CCTP_URL'] },
  // Without CCTP's contracts our own bridge is used everywhere.
  isUsed: ({ CCTP_CONTRACTS }) => CCTP_CONTRACTS !== undefined,
  checkSettings: cctpChains,
  contracts: (config) =>
    Object.values(cctpChains(config)).flatMap(({ usdc, token_messenger, message_transmitter }) => [
      usdc,
      token_messenger,
      message_transmitter,
    ]),
  open: ({ kernel: { config }, at, relayer }) =>
    cctp({ url: at(config.CCTP_URL, '/cctp'), chains: cctpChains(config), relayer }),
  calls: { local: ['joins', 'token', 'burnCalls', 'proveBurn', 'proveMint'] },
};
