import type { ChainKey } from '#chains/evm/port.ts';
import { FAULT_KINDS, type FaultKind } from '#sandbox/faults.ts';
import { type Random, randomOf } from '#test/random.ts';
import { type Flow, planFlows } from './workload.ts';

export const MODES = ['mock', 'live'] as const;
export type Mode = (typeof MODES)[number];

/** One process with both roles, or two `api` and two `worker` processes. */
export const FLEETS = ['one', 'four'] as const;
export type FleetSize = (typeof FLEETS)[number];

/** The blows against the service. */
type Violence =
  | { readonly kind: 'kill-node'; readonly member: number; readonly downMs: number }
  | { readonly kind: 'stop-node'; readonly member: number; readonly downMs: number }
  | { readonly kind: 'pause-node'; readonly member: number; readonly ms: number }
  | { readonly kind: 'kill-database' }
  | { readonly kind: 'pause-database'; readonly ms: number }
  | { readonly kind: 'kill-chain'; readonly chain: ChainKey }
  | { readonly kind: 'pause-chain'; readonly chain: ChainKey; readonly ms: number }
  // A client connects and sends nothing, or a partial request.
  | { readonly kind: 'silence'; readonly member: number }
  // A fork has the last blocks of Cardano without their transactions.
  | { readonly kind: 'rollback'; readonly blocks: number }
  // A ledger of the sandbox does not answer for a while.
  | { readonly kind: 'away'; readonly ledger: Ledger; readonly ms: number }
  | { readonly kind: 'fault'; readonly fault: PlannedFault }
  | { readonly kind: 'clock'; readonly seconds: number };
type Ledger = 'cardano' | 'xrpl';
export type BlowKind = Violence['kind'];

/** `at` is the number of the flow with whose beginning it comes. */
export type Blow = Violence & { readonly at: number };

export interface PlannedFault {
  readonly provider: (typeof IN_LIVE_MODE)[number] | (typeof ALWAYS)[number];
  readonly kind: FaultKind;
  readonly times: number;
  readonly ms: number;
}

export interface Plan {
  readonly seed: number;
  readonly mode: Mode;
  readonly fleet: FleetSize;
  /** The flows of each client, in order. */
  readonly clients: readonly (readonly Flow[])[];
  readonly blows: readonly Blow[];
}

/** Choices that override the seed. */
export interface Wishes {
  readonly mode?: Mode | undefined;
  readonly fleet?: FleetSize | undefined;
  /** The kinds of blows; the workload stays the same. */
  readonly kinds?: readonly BlowKind[] | undefined;
}

/** The minimum and maximum number of each kind in a run. */
const SHARES: Readonly<Record<BlowKind, readonly [number, number]>> = {
  'kill-node': [1, 2],
  'stop-node': [0, 1],
  'pause-node': [0, 2],
  'kill-database': [0, 2],
  'pause-database': [0, 1],
  'kill-chain': [0, 1],
  'pause-chain': [0, 1],
  silence: [1, 2],
  rollback: [0, 2],
  away: [0, 2],
  fault: [4, 8],
  clock: [0, 1],
};
export const BLOW_KINDS = Object.keys(SHARES) as readonly BlowKind[];

/** The seed decides everything in a run; only the exact moments depend on the machine. */
export function planRun(seed: number, wishes: Wishes = {}): Plan {
  const random = randomOf(seed, 'setting');
  const [mode, fleet] = [random.pick(MODES), random.pick(FLEETS)];
  const setting = { seed, mode: wishes.mode ?? mode, fleet: wishes.fleet ?? fleet };
  const clients = planFlows(seed);
  const kinds = wishes.kinds ?? BLOW_KINDS;
  const blows = planBlows(setting, clients.flat().length);
  return { ...setting, clients, blows: blows.filter(({ kind }) => kinds.includes(kind)) };
}

type Setting = Pick<Plan, 'seed' | 'mode' | 'fleet'>;

function planBlows(setting: Setting, flows: number): Blow[] {
  const blows = BLOW_KINDS.flatMap((kind) => {
    // Each with random numbers of its own, so that leaving a kind out does not move the others.
    const random = randomOf(setting.seed, kind);
    const [least, most] = SHARES[kind];
    return Array.from({ length: random.int(least, most) }, (): Blow => {
      const at = random.int(Math.floor(flows * 0.05), Math.floor(flows * 0.85));
      return { ...violenceOf(kind, setting, random), at };
    });
  });
  return blows.sort((a, b) => a.at - b.at);
}

function violenceOf(kind: BlowKind, setting: Setting, random: Random): Violence {
  const member = () => random.int(0, setting.fleet === 'one' ? 0 : 3);
  const chain = () => random.pick(['sepolia', 'amoy'] as const);
  switch (kind) {
    case 'kill-node':
    case 'stop-node':
      return { kind, member: member(), downMs: random.int(0, 1200) };
    case 'pause-node':
      return { kind, member: member(), ms: random.int(300, 3000) };
    case 'kill-database':
      return { kind };
    case 'pause-database':
      return { kind, ms: random.int(300, 3000) };
    case 'kill-chain':
      return { kind, chain: chain() };
    case 'pause-chain':
      return { kind, chain: chain(), ms: random.int(1000, 4000) };
    case 'silence':
      return { kind, member: setting.fleet === 'one' ? 0 : random.int(0, 1) };
    case 'rollback':
      return { kind, blocks: random.int(1, 4) };
    case 'away':
      return { kind, ledger: random.pick(['cardano', 'xrpl']), ms: random.int(500, 3000) };
    case 'fault':
      return { kind, fault: faultOf(setting, random) };
    case 'clock':
      return { kind, seconds: random.int(30, CLOCK_MAX_S) };
  }
}

/**
 * Below the quarter of an hour after which a card transaction that the network never saw is given up:
 * one in flight while an hour passes at once would arrive too late, as none does in real time.
 */
const CLOCK_MAX_S = 12 * 60;

/** Systems whose faults have an effect in both modes. `llm` is the language model, `receiver` the receiver of webhooks. */
const ALWAYS = [
  ...(['fx', 'cardano', 'xrpl', 'plaid', 'exchange'] as const),
  ...(['marketplace-1', 'marketplace-2', 'llm', 'receiver'] as const),
] as const;

/** In mock mode no card network and no gateway for rupiah is called. */
const IN_LIVE_MODE = ['card-network', 'card-network', 'card-network', 'gateway'] as const;

function faultOf({ mode }: Setting, random: Random): PlannedFault {
  const [times, ms] = [random.int(1, 6), random.int(100, 2500)];
  const kind = random.pick(FAULT_KINDS);
  const provider = random.pick([...(mode === 'live' ? IN_LIVE_MODE : []), ...ALWAYS]);
  // A model that does not answer in time: longer than every time-out for it.
  if (provider === 'llm' && kind === 'delay') return { provider, kind, times, ms: MODEL_HANGS_MS };
  return { provider, kind, times, ms };
}

/** Longer than LLM_TIMEOUT of the fleet. */
const MODEL_HANGS_MS = 5_000;
