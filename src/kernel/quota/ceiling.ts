import { createAtOnce, type PlaceLimit } from './at-once.ts';
import { type CeilingRule, SHARES, totalOf } from './ceilings.ts';

/** For whom a place is taken. */
export interface PlaceHolder {
  /** The log-in, key or endpoint. */
  readonly one: string;
  readonly client: string;
  /** Where the caller is; missing where the service itself begins the work. */
  readonly network?: string;
  readonly isApproved: boolean;
}

/** The share that is used up. */
interface FullShare extends PlaceLimit {
  readonly full: 'one' | 'client' | 'network' | 'strangers' | 'all';
}

export interface Ceiling {
  readonly total: number;
  /** Places that are taken now. */
  held(): number;
  /** Takes a place; the answer gives it back, once. Otherwise answers the share that has none left. */
  take(holder: PlaceHolder): (() => void) | FullShare;
}

const ALL = 'all';

/** A ceiling with its shares, counted in this process. */
export function createCeiling(rule: CeilingRule, files: number): Ceiling {
  const total = totalOf(rule, files);
  const places = createAtOnce();
  return {
    total,
    held: () => places.held(ALL),
    take: (holder) => places.take(sharesOf(rule, total, holder)),
  };
}

function sharesOf(rule: CeilingRule, total: number, holder: PlaceHolder): FullShare[] {
  const { one, client, network, isApproved } = holder;
  const standing = isApproved ? 'approved' : 'stranger';
  const part = (share: number) => Math.max(1, Math.floor(total * share));
  // The same network or client may be met in both standings, whose shares differ.
  const share = (full: FullShare['full'], id: string, most: number): FullShare => ({
    full,
    subject: `${standing} ${full} ${id}`,
    most,
  });
  return [
    share('one', one, rule.one),
    share('client', client, part(SHARES.client[standing])),
    ...(network === undefined ? [] : [share('network', network, part(SHARES.network[standing]))]),
    ...(isApproved ? [] : [share('strangers', '', part(SHARES.strangers))]),
    { full: 'all', subject: ALL, most: total },
  ];
}
