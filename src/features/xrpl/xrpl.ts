import type { Feature } from '#kernel/feature.ts';
import type { Gateway } from '#providers/gateway/port.ts';
import type { XrplDeps } from './deps.ts';
import { XRPL_EVENTS } from './events.ts';
import { offrampMachine } from './offramp.ts';
import { onrampMachine } from './onramp.ts';
import { payoutRail, xrplRail } from './rail.ts';
import { xrplRoutes } from './routes.ts';

export { hearPayout } from './payout.ts';

/** On- and off-ramps over the XRP Ledger (contract: XRPL). */
export function createXrpl(
  deps: XrplDeps & { readonly gateway: Pick<Gateway, 'statement'> },
): Feature {
  const onramp = onrampMachine(deps.xrpl);
  const offramp = offrampMachine(deps);
  return {
    name: 'xrpl',
    events: XRPL_EVENTS,
    routes: xrplRoutes({ ...deps, onramp, offramp }),
    machines: [onramp, offramp],
    rails: [xrplRail(deps.xrpl), payoutRail(deps.gateway)],
  };
}
