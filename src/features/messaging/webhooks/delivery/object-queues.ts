import type { ParkedDelivery } from '../delivery-store.ts';

/** The parked deliveries of one endpoint, a queue for each object: only the head of a queue is tried. */
export interface ObjectQueues {
  readonly size: number;
  /** Whether that queue has deliveries, so that a new one has to wait behind them. */
  holds(lane: string): boolean;
  has(position: number, lane: string): boolean;
  add(row: ParkedDelivery): void;
  /** Replaces the row with the same position and queue. */
  change(row: ParkedDelivery): void;
  /** Removes a row; answers the new head of its queue where that has no time of its own yet. */
  remove(row: ParkedDelivery): ParkedDelivery | undefined;
  /** The heads that are due, oldest first. */
  due(now: Date): readonly ParkedDelivery[];
  /** The oldest head. */
  oldest(): ParkedDelivery | undefined;
  /** The head of each queue. */
  heads(): ParkedDelivery[];
}

export function createObjectQueues(rows: readonly ParkedDelivery[]): ObjectQueues {
  const parked: State = { queues: new Map(), size: 0, soonest: null };
  const { queues } = parked;
  for (const row of rows) add(parked, row);
  const heads = (): ParkedDelivery[] => [...queues.values()].flatMap(([first]) => first ?? []);
  return {
    get size() {
      return parked.size;
    },
    holds: (lane) => queues.has(lane),
    has: (position, lane) => indexOf(parked, { position, lane }) >= 0,
    add: (row) => add(parked, row),
    change(row) {
      queues.get(row.lane)?.splice(indexOf(parked, row), 1, row);
      updateSoonest(parked, row);
    },
    remove: (row) => remove(parked, row),
    due(now) {
      const time = now.toISOString();
      if (parked.soonest === null || parked.soonest > time) return [];
      const waiting = heads().filter(({ next_at }) => next_at !== null);
      const times = waiting.map(({ next_at }) => next_at ?? '').sort();
      parked.soonest = times[0] ?? null;
      const due = waiting.filter(({ next_at }) => (next_at ?? '') <= time);
      return due.sort((a, b) => a.position - b.position);
    },
    oldest: () => heads().sort((a, b) => a.position - b.position)[0],
    heads,
  };
}

interface State {
  readonly queues: Map<string, ParkedDelivery[]>;
  size: number;
  /** When the next head is due: most calls of `due` end here. */
  soonest: string | null;
}

function add(parked: State, row: ParkedDelivery): void {
  const queue = parked.queues.get(row.lane) ?? [];
  queue.push(row);
  // Only repeated events come out of order.
  if (queue.length > 1) queue.sort((a, b) => a.position - b.position);
  parked.queues.set(row.lane, queue);
  parked.size += 1;
  updateSoonest(parked, row);
}

function remove(parked: State, row: ParkedDelivery): ParkedDelivery | undefined {
  const queue = parked.queues.get(row.lane) ?? [];
  queue.splice(indexOf(parked, row), 1);
  parked.size -= 1;
  const [first] = queue;
  if (first === undefined) parked.queues.delete(row.lane);
  return first?.next_at === null ? first : undefined;
}

function updateSoonest(parked: State, { next_at }: ParkedDelivery): void {
  if (next_at !== null && (parked.soonest === null || next_at < parked.soonest))
    parked.soonest = next_at;
}

const indexOf = (
  { queues }: State,
  { position, lane }: Pick<ParkedDelivery, 'position' | 'lane'>,
): number => queues.get(lane)?.findIndex((row) => row.position === position) ?? -1;
