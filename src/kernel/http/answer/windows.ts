import { monotonicMs } from '../../clock.ts';

/**
 * A kind of thing that is counted from its first time on, for so many seconds, and then from zero
 * again.
 */
export interface ReplyKind {
  readonly name: string;
  readonly seconds: number;
}
export interface Counted<K extends ReplyKind = ReplyKind> {
  /** The same object for all of a kind. */
  readonly kind: K;
  readonly id: string | number;
}
export interface Count<K extends ReplyKind = ReplyKind> {
  readonly kind: K;
  /** How often, with this time. */
  readonly used: number;
  readonly msLeft: number;
}
type Counts<K extends ReplyKind> = readonly Count<K>[];

/** Counts in fixed windows, and answers at once unless another process has to be asked. */
export interface Windows {
  /** Each once more, once less or as it is, and how that stands, in the same order. */
  add<K extends ReplyKind>(
    what: readonly Counted<K>[],
    times: 1 | 0 | -1,
  ): Counts<K> | Promise<Counts<K>>;
}
export interface OwnWindows extends Windows {
  add<K extends ReplyKind>(what: readonly Counted<K>[], times: 1 | 0 | -1): Counts<K>;
}

interface Window {
  used: number;
  readonly endsAt: number;
}
type Open = Map<string | number, Window>;

/** Far more than come by in a minute; past it the oldest are forgotten, for memory has an end. */
const WINDOWS_MAX = 200_000;

/** Of this process alone. */
export function createWindows(): OwnWindows {
  // Those of a kind end in the order in which they began, so whatever has ended is in front.
  const byKind = new Map<ReplyKind, Open>();
  const openOf = (kind: ReplyKind): Open => {
    const found = byKind.get(kind);
    if (found) return found;
    const open: Open = new Map();
    byKind.set(kind, open);
    return open;
  };
  return {
    add<K extends ReplyKind>(what: readonly Counted<K>[], times: 1 | 0 | -1) {
      const now = monotonicMs();
      const counts: Count<K>[] = [];
      for (const counted of what) {
        const { kind, id } = counted;
        const open = openOf(kind);
        const found = open.get(id);
        const window = found && found.endsAt > now ? found : begin(open, counted, now);
        window.used = Math.max(0, window.used + times);
        counts.push({ kind, used: window.used, msLeft: window.endsAt - now });
      }
      return counts;
    },
  };
}

function begin(open: Open, { kind, id }: Counted, now: number): Window {
  open.delete(id);
  for (const [old, { endsAt }] of open) {
    if (endsAt > now && open.size < WINDOWS_MAX) break;
    open.delete(old);
  }
  const window = { used: 0, endsAt: now + kind.seconds * 1000 };
  open.set(id, window);
  return window;
}
