export const MONITOR_FIELDS = ['posted', 'available'] as const;
export type MonitorField = (typeof MONITOR_FIELDS)[number];
export const MONITOR_OPS = ['below', 'above'] as const;
export type MonitorOp = (typeof MONITOR_OPS)[number];
export const MONITOR_STATES = ['armed', 'crossed'] as const;
export type MonitorState = (typeof MONITOR_STATES)[number];

/** What a transfer has left in an account. */
export interface Reading {
  readonly seq: number;
  readonly posted: bigint;
  readonly held: bigint;
  readonly at: string;
}

interface MonitorRule {
  readonly field: MonitorField;
  readonly op: MonitorOp;
  readonly amount: bigint;
}

/** Crossed while the balance is on the other side of the amount; the amount itself is on neither. */
export function monitorStateAt(
  { field, op, amount }: MonitorRule,
  { posted, held }: Pick<Reading, 'posted' | 'held'>,
): MonitorState {
  const balance = field === 'posted' ? posted : posted - held;
  const isFulfilled = op === 'below' ? balance < amount : balance > amount;
  return isFulfilled ? 'crossed' : 'armed';
}

/** The state after these readings, and those by which an armed monitor was crossed. */
export function crossingsIn(
  monitor: MonitorRule & { readonly state: MonitorState },
  readings: readonly Reading[],
): { readonly state: MonitorState; readonly crossings: readonly Reading[] } {
  let { state } = monitor;
  const crossings = readings.filter((reading) => {
    const before = state;
    state = monitorStateAt(monitor, reading);
    return before === 'armed' && state === 'crossed';
  });
  return { state, crossings };
}
