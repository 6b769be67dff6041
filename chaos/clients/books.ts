import type { Address } from 'viem';
import type { ChainKey } from '#chains/evm/port.ts';
import type { MemberAction, Place } from '../plan/workload.ts';
import type { ExtraEffect } from './extra-effects.ts';

/** The effect of an acknowledged operation, and its recognisable fields. Money in units. */
export type Effect =
  | {
      readonly kind: 'top-up';
      readonly user: number;
      readonly cents: bigint;
      readonly worded: boolean;
    }
  | { readonly kind: 'refund'; readonly user: number; readonly cents: bigint; readonly of: bigint }
  | { readonly kind: 'push'; readonly user: number; readonly cents: bigint }
  | { readonly kind: 'member'; readonly phone: string }
  | { readonly kind: 'points'; readonly phone: string; readonly action: MemberAction }
  | { readonly kind: 'fiat-wallet'; readonly user: number; readonly currency: string }
  | { readonly kind: 'crypto-wallet'; readonly user: number; readonly wallet: string }
  | {
      readonly kind: 'address';
      readonly user: number;
      readonly wallet: string;
      readonly chain: ChainKey;
    }
  | ({ readonly kind: 'send'; readonly user: number; readonly asset: 'USDC' | 'native' } & Sending)
  | ({ readonly kind: 'test-mint' } & Moved)
  | ({ readonly kind: 'burn'; readonly user: number; readonly fee: bigint } & Omit<Moved, 'to'>)
  | ({ readonly kind: 'mint'; readonly user: number; readonly log_id: string } & Moved)
  | { readonly kind: 'cardano-mint'; readonly user: number; readonly cents: bigint }
  | { readonly kind: 'cardano-round'; readonly user: number; readonly cents: bigint }
  | { readonly kind: 'xrpl-on'; readonly user: number; readonly cents: bigint }
  | { readonly kind: 'xrpl-off'; readonly user: number; readonly units: bigint }
  | {
      readonly kind: 'rupiah-in';
      readonly user: number;
      readonly rupiah: number;
      readonly to: Address;
    }
  | { readonly kind: 'rupiah-out'; readonly user: number; readonly rupiah: number }
  | { readonly kind: 'bank-link'; readonly user: number }
  | {
      readonly kind: 'bank-top-up';
      readonly user: number;
      readonly cents: bigint;
      readonly returned: boolean;
    }
  /** Rupiah from a card, to be converted. */
  | { readonly kind: 'rupiah-fund'; readonly user: number; readonly rupiah: number }
  | {
      readonly kind: 'conversion';
      readonly user: number;
      readonly rupiah: number;
      readonly chain: ChainKey;
      readonly to: Address;
    }
  | ExtraEffect
  | {
      readonly kind: 'purchase';
      readonly user: number;
      readonly chain: ChainKey;
      readonly units: bigint;
    }
  | {
      readonly kind: 'order';
      readonly user: number;
      readonly chain: ChainKey;
      readonly units: bigint;
      readonly order_id: string;
    }
  | ({ readonly kind: 'talk'; readonly user: number; readonly asset: 'USDC' } & Sending)
  | { readonly kind: 'nothing' };
export type EffectKind = Effect['kind'];

interface Moved {
  readonly chain: ChainKey;
  readonly units: bigint;
  readonly to: Address;
}

interface Sending extends Moved {
  readonly chain: Place;
}

/** One request that changes something; a repetition keeps its key. */
export interface Operation {
  /** Its `Idempotency-Key`: seed, flow and step. */
  readonly key: string;
  readonly method: 'POST' | 'PATCH';
  readonly path: string;
  readonly token?: string | undefined;
  readonly body: object;
  readonly effect: Effect;
  /** The required code of its refusal. Without it, it must not be refused. */
  readonly refusal?: string;
  /** Codes with which it may be refused because of violence against the service. */
  readonly excuses?: readonly string[];
  /** Codes that decide nothing: it is repeated later, by the reinstated user. */
  readonly leftOpenBy?: readonly string[];
  /** Its refusal has changed nothing and is not stored: a repetition is refused by the same code. */
  readonly isRefusedAnew?: boolean;
  /** The log-in ends or is refused for a while: a repetition gets another answer. */
  readonly isBrief?: boolean;
}

export interface Attempt {
  /** Milliseconds after the beginning of the run. */
  readonly at: number;
  readonly ms: number;
  /** The called process. */
  readonly member: number;
  /** Absent without an answer; `lost` has the reason. */
  readonly status?: number;
  readonly lost?: string;
  readonly code?: string | undefined;
  readonly request_id?: string | undefined;
}

/** The end of an operation, as its client knows. Some answers are given only once: they hold secrets. */
export type Ended =
  | { readonly kind: 'done'; readonly status: number; readonly text: string }
  | { readonly kind: 'done-unseen' }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly text: string;
      readonly code?: string;
    };

export interface Entry {
  readonly operation: Operation;
  readonly attempts: Attempt[];
  ended: Ended | undefined;
}

/** The clients' answers: the other side of every comparison. */
export interface Books {
  entry(operation: Operation): Entry;
  all(): readonly Entry[];
  /** The acknowledged ones of a kind. */
  done<K extends EffectKind>(
    kind: K,
  ): (Entry & { readonly effect: Extract<Effect, { kind: K }> })[];
}

export function openBooks(): Books {
  const entries = new Map<string, Entry>();
  return {
    entry(operation) {
      const known = entries.get(operation.key);
      if (known) return known;
      const entry: Entry = { operation, attempts: [], ended: undefined };
      entries.set(operation.key, entry);
      return entry;
    },
    all: () => [...entries.values()],
    done: <K extends EffectKind>(kind: K) =>
      [...entries.values()].flatMap((entry) => {
        const { effect } = entry.operation;
        if (!isDone(entry) || effect.kind !== kind) return [];
        return [{ ...entry, effect: effect as Extract<Effect, { kind: K }> }];
      }),
  };
}

export const isDone = ({ ended }: Entry): boolean =>
  ended?.kind === 'done' || ended?.kind === 'done-unseen';

/** The answer of an acknowledged operation; undefined if it was given only once. */
export const answerOf = ({ ended }: Entry): unknown =>
  ended?.kind === 'done' ? JSON.parse(ended.text) : undefined;
