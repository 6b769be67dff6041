import type { Records } from '#sandbox/records.ts';
import { SIMULATED_GATEWAY_PROVIDER } from './simulated-account.ts';

const HOLD = 'hold';

export const HELD = ['payments', 'payouts'] as const;
export type GatewayHold = (typeof HELD)[number];

/** How many of the next ones stay open in mock mode. */
export type HoldsLeft = number | 'all';

interface Hold {
  readonly left: HoldsLeft;
}

export async function gatewayHoldsOf(
  records: Records,
): Promise<Readonly<Record<GatewayHold, HoldsLeft>>> {
  const left = async (what: GatewayHold) =>
    (await records.get<Hold>(SIMULATED_GATEWAY_PROVIDER, HOLD, what))?.left ?? 0;
  return { payments: await left('payments'), payouts: await left('payouts') };
}

export async function setHold(records: Records, what: GatewayHold, left: HoldsLeft): Promise<void> {
  await records.insert(SIMULATED_GATEWAY_PROVIDER, HOLD, what, { left });
  await records.update<Hold>(SIMULATED_GATEWAY_PROVIDER, HOLD, what, () => ({ left }));
}

/** Whether this one is held; it counts as one of those that were to be. */
export async function takeHold(records: Records, what: GatewayHold): Promise<boolean> {
  // Most are not: only those that are to be held wait for one another.
  if (((await records.get<Hold>(SIMULATED_GATEWAY_PROVIDER, HOLD, what))?.left ?? 0) === 0)
    return false;
  let isHeld = false;
  await records.update<Hold>(SIMULATED_GATEWAY_PROVIDER, HOLD, what, ({ left }) => {
    isHeld = left === 'all' || left > 0;
    return typeof left === 'number' && left > 0 ? { left: left - 1 } : undefined;
  });
  return isHeld;
}
