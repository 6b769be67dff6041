/** An event that waits for another try, or behind another one of its lane. */
export interface Parked {
  readonly position: number;
  readonly lane: string;
  /** Tries so far. */
  readonly attempt: number;
  /** Null behind another one. */
  readonly next_at: string | null;
}

/** What is parked of one endpoint, in lanes: of each only the first is tried. */
export interface Lanes {
  readonly size: number;
  /** Whether something is parked in that lane, so that what comes has to wait behind it. */
  holds(lane: string): boolean;
  has(position: number, lane: string): boolean;
  add(row: Parked): void;
  /** Puts a row in the place of the one with its position and lane. */
  change(row: Parked): void;
  /** Takes a row away; answers which is the first of its lane then, if that waits behind nothing now. */
  remove(row: Parked): Parked | undefined;
  /** The first ones whose time has come, oldest first. */
  due(now: Date): readonly Parked[];
  /** The first one of all lanes. */
  oldest(): Parked | undefined;
  /** The first of each lane. */
  heads(): Parked[];
}

export function createWebhookLanes(rows: readonly Parked[]): Lanes {
  const parked: State = { lanes: new Map(), size: 0, soonest: null };
  const { lanes } = parked;
  for (const row of rows) add(parked, row);
  const heads = (): Parked[] => [...lanes.values()].flatMap(([first]) => first ?? []);
  return {
    get size() {
      return parked.size;
    },
    holds: (lane) => lanes.has(lane),
    has: (position, lane) => indexOf(parked, { position, lane }) >= 0,
    add: (row) => add(parked, row),
    change(row) {
      lanes.get(row.lane)?.splice(indexOf(parked, row), 1, row);
      note(parked, row);
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
  readonly lanes: Map<string, Parked[]>;
  size: number;
  /** When the next is due: most looks end here. */
  soonest: string | null;
}

function add(parked: State, row: Parked): void {
  const lane = parked.lanes.get(row.lane) ?? [];
  lane.push(row);
  // They come in their order but for what is repeated.
  if (lane.length > 1) lane.sort((a, b) => a.position - b.position);
  parked.lanes.set(row.lane, lane);
  parked.size += 1;
  note(parked, row);
}

function remove(parked: State, row: Parked): Parked | undefined {
  const lane = parked.lanes.get(row.lane) ?? [];
  lane.splice(indexOf(parked, row), 1);
  parked.size -= 1;
  const [first] = lane;
  if (first === undefined) parked.lanes.delete(row.lane);
  return first?.next_at === null ? first : undefined;
}

function note(parked: State, { next_at }: Parked): void {
  if (next_at !== null && (parked.soonest === null || next_at < parked.soonest))
    parked.soonest = next_at;
}

const indexOf = ({ lanes }: State, { position, lane }: Pick<Parked, 'position' | 'lane'>): number =>
  lanes.get(lane)?.findIndex((row) => row.position === position) ?? -1;
