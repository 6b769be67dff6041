import { OPERATOR_CLIENT_ID } from '../access/authenticator.ts';
import type { Db } from '../db/db.ts';
import { emit } from '../events/emit.ts';
import { defineEvents } from '../events/event-type.ts';
import { ShownBreak, shownBreak } from './break-shape.ts';
import { type Break, breaksOf } from './break-store.ts';

const difference = defineEvents(
  'reconciliation',
  {
    schema: ShownBreak,
    since: '2026-11',
    example: {
      break_id: 41,
      rail: 'card-network',
      reference: 'TOPUP-NFCRADBEHKLMPQGJ',
      kind: 'card-top-up',
      asset: 'USD',
      cause: 'MISSING_AT_PROVIDER',
      state: 'OPEN',
      our_amount: '100.00',
      our_time: '2026-11-22T03:00:58.447Z',
      their_amount: null,
      their_time: null,
      client_id: 2,
      found_at: '2026-11-23T03:00:58.447Z',
      resolved_at: null,
      age_seconds: 0,
      note: null,
      history: [],
    },
  },
  {
    break_found: 'Our books and the other side’s differ',
    break_changed: 'They differ in another way than before',
    break_explained: 'The operator has said why they differ',
    break_resolved: 'They do not differ any more',
  },
);

export const BREAK_EVENTS = Object.values(difference);

/** What a break has become. */
export interface BreakOutcome {
  readonly break_id: number;
  readonly became: 'found' | 'changed' | 'resolved';
}

/** In the transaction in which it becomes so. What is no client's is the operator's to know of. */
export function emitBreak(
  tx: Db,
  became: BreakOutcome['became'] | 'explained',
  row: Break,
  now: Date,
): void {
  const client_id = row.client_id ?? OPERATOR_CLIENT_ID;
  emit(tx, difference[`break_${became}`], {
    client_id,
    id: row.break_id,
    data: shownBreak(row, now),
  });
}

export async function emitBreaks(tx: Db, all: readonly BreakOutcome[], now: Date): Promise<void> {
  if (all.length === 0) return;
  const rows = new Map(
    (
      await breaksOf(
        tx,
        all.map(({ break_id }) => break_id),
      )
    ).map((row) => [row.break_id, row]),
  );
  for (const { break_id, became } of all) {
    const row = rows.get(break_id);
    if (row) emitBreak(tx, became, row, now);
  }
}
