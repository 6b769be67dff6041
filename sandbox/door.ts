import type { SandboxDoor } from '#src/app/sandbox-door.ts';
import { embeddedNodes } from './chains/evm/embedded-node.ts';
import { sandboxHelp } from './chains/xrpl/sandbox-help.ts';
import { openSandbox } from './open-sandbox.ts';
import { mockBankHost } from './providers/bank-host/mock-bank-host.ts';
import { mockGateway } from './providers/gateway/mock-gateway.ts';
import { createSimulators } from './simulators.ts';

/** The one thing of this folder that the service loads. */
export const sandboxDoor: SandboxDoor = {
  chains: { evm: embeddedNodes, xrpl: sandboxHelp },
  mockMode: (setup) => ({ gateway: mockGateway(setup), bankHost: mockBankHost(setup) }),
  host(config, db, chains) {
    const { all, smtpUrl } = createSimulators(config, db, chains);
    return { smtpUrl, open: (options) => openSandbox({ ...options, simulators: all }) };
  },
};
