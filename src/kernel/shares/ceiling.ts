import { type CeilingRule, SHARES, totalOf } from './ceilings.ts';

/** For whom a place is taken. */
export interface Holder {
  /** The log-in, key or endpoint. */
  readonly one: string;
  readonly client: string;
  /** Where the caller is; missing where the service itself begins the work. */
  readonly network?: string;
  readonly isApproved: boolean;
}

/** Whose share is used up. */
export type Full = 'one' | 'client' | 'network' | 'strangers' | 'all';

export interface Refused {
  readonly full: Full;
  /** How many places that share has. */
  readonly most: number;
}

export interface Ceiling {
  readonly total: number;
  /** Places that are taken now. */
  held(): number;
  /** Takes a place; the answer gives it back, once. Otherwise says which share has none left. */
  take(holder: Holder): (() => void) | Refused;
}

interface Count {
  readonly full: Full;
  readonly name: string;
  readonly most: number;
}

/** A ceiling with its shares, counted in this process. */
export function createCeiling(rule: CeilingRule, files: number): Ceiling {
  const total = totalOf(rule, files);
  const held = new Map<string, number>();
  const heldBy = ({ name }: Count): number => held.get(name) ?? 0;
  return {
    total,
    held: () => held.get(ALL) ?? 0,
    take(holder) {
      const counts = countsOf(rule, total, holder);
      const refused = counts.find((count) => heldBy(count) >= count.most);
      if (refused) return { full: refused.full, most: refused.most };
      for (const count of counts) held.set(count.name, heldBy(count) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        for (const count of counts) giveBack(held, count.name);
      };
    },
  };
}

const ALL = 'all';

function countsOf(rule: CeilingRule, total: number, holder: Holder): Count[] {
  const { one, client, network, isApproved } = holder;
  const standing = isApproved ? 'approved' : 'stranger';
  const part = (share: number) => Math.max(1, Math.floor(total * share));
  // The same network or client may be met in both standings, whose shares differ.
  const named = (full: Full, id: string) => `${standing} ${full} ${id}`;
  return [
    { full: 'one', name: named('one', one), most: rule.one },
    { full: 'client', name: named('client', client), most: part(SHARES.client[standing]) },
    ...(network === undefined
      ? []
      : ([
          {
            full: 'network',
            name: named('network', network),
            most: part(SHARES.network[standing]),
          },
        ] as const)),
    ...(isApproved
      ? []
      : ([{ full: 'strangers', name: 'strangers', most: part(SHARES.strangers) }] as const)),
    { full: 'all', name: ALL, most: total },
  ];
}

function giveBack(held: Map<string, number>, name: string): void {
  const left = (held.get(name) ?? 1) - 1;
  if (left > 0) held.set(name, left);
  else held.delete(name);
}
