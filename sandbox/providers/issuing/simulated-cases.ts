import { randomUUID } from 'node:crypto';
import type { World } from '#sandbox/simulator.ts';
import { ISSUING_SIMULATOR } from './simulated-cards.ts';

export const SIMULATED_CASE = 'case';

/** Where a case is at the network, as the processor names it. */
type NetworkState =
  | ('initiated' | 'representment' | 'prearbitration' | 'arbitration')
  | ('case.won' | 'case.lost' | 'network.rejected');

export interface SimulatedTransition {
  readonly token: string;
  readonly case_token: string;
  readonly action: string;
  readonly state: NetworkState;
  readonly created_time: string;
  readonly created_by: string;
  readonly memo?: string;
}

/** As the processor keeps it. */
export interface SimulatedCase {
  readonly token: string;
  readonly type: string;
  readonly state: 'OPEN' | 'CHARGEBACK_INITIATED' | 'CLOSED';
  readonly memo?: string;
  readonly dispute_details: {
    readonly original_transaction_token: string;
    readonly dispute_amount: number;
  } & Readonly<Record<string, unknown>>;
  readonly network_transitions: readonly SimulatedTransition[];
  readonly created_time: string;
}

/** What an action leads to at the network. */
export const CASE_ACTIONS: Readonly<Record<string, NetworkState>> = {
  CHARGEBACK_CREDIT: 'initiated',
  CHARGEBACK_NO_CREDIT: 'initiated',
  REPRESENTMENT_RECEIVED: 'representment',
  RESPOND_WITH_PREARB: 'prearbitration',
  RESPOND_WITH_ARB: 'arbitration',
  ACCEPT_AND_CLOSE: 'case.lost',
  CLOSE_WITH_CASE_WON: 'case.won',
  CLOSE_WITH_CASE_LOST: 'case.lost',
  CLOSE_WITH_NETWORK_REJECTED: 'network.rejected',
};
const UNDER_WAY = ['initiated', 'representment', 'prearbitration', 'arbitration'] as const;
/** The states in which an action is possible. */
export const CASE_ACTIONS_FROM: Readonly<Record<string, readonly (NetworkState | 'OPEN')[]>> = {
  CHARGEBACK_NO_CREDIT: ['OPEN'],
  REPRESENTMENT_RECEIVED: ['initiated'],
  RESPOND_WITH_PREARB: ['representment'],
  RESPOND_WITH_ARB: ['prearbitration'],
  ACCEPT_AND_CLOSE: UNDER_WAY,
  CLOSE_WITH_CASE_WON: UNDER_WAY,
  CLOSE_WITH_CASE_LOST: UNDER_WAY,
  CLOSE_WITH_NETWORK_REJECTED: UNDER_WAY,
};

/** Moves a case by an action, where it is in one of those states. */
export async function moveSimulatedCase(
  { records, clock }: World,
  case_token: string,
  asked: {
    readonly action: string;
    readonly from: readonly string[];
    readonly created_by?: string | undefined;
  },
): Promise<SimulatedTransition | 'missing' | 'not possible'> {
  const { action, from, created_by = 'network' } = asked;
  const state = CASE_ACTIONS[action] ?? 'initiated';
  const created_time = clock.now().toISOString();
  const made = { token: randomUUID(), case_token, action, state, created_time, created_by };
  const isEnd = state.startsWith('case.') || state === 'network.rejected';
  const updated = await records.update<SimulatedCase>(
    ISSUING_SIMULATOR,
    SIMULATED_CASE,
    case_token,
    (one) =>
      from.includes(one.network_transitions.at(-1)?.state ?? 'OPEN')
        ? {
            ...one,
            state: isEnd ? 'CLOSED' : 'CHARGEBACK_INITIATED',
            network_transitions: [...one.network_transitions, made],
          }
        : undefined,
  );
  if (updated) return made;
  return (await records.get(ISSUING_SIMULATOR, SIMULATED_CASE, case_token))
    ? 'not possible'
    : 'missing';
}
