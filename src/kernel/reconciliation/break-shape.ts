import { Type } from 'typebox';
import { named } from '../http/declare/named.ts';
import { Id, Json, Nullable, oneOfWords, TextOrNull, Timestamp } from '../http/declare/schema.ts';
import { type Asset, format } from '../money/money.ts';
import { BREAK_STATES, type Break, CAUSES } from './break-store.ts';

/** A difference, as it is shown wherever one is. */
export const ShownBreak = named('Break', {
  break_id: Id,
  rail: Type.String(),
  reference: Type.String(),
  kind: Type.String(),
  asset: Type.String(),
  cause: oneOfWords(CAUSES),
  state: oneOfWords(BREAK_STATES),
  our_amount: TextOrNull,
  our_time: Nullable(Timestamp),
  their_amount: TextOrNull,
  their_time: Nullable(Timestamp),
  client_id: Nullable(Id),
  found_at: Timestamp,
  resolved_at: Nullable(Timestamp),
  age_seconds: Type.Integer(),
  note: TextOrNull,
  history: Json,
});

export function shownBreak(row: Break, now: Date) {
  const asset = row.asset as Asset;
  const amount = (units: bigint | null) => (units === null ? null : format({ asset, units }));
  const end = row.resolved_at === null ? now.getTime() : Date.parse(row.resolved_at);
  return {
    ...row,
    our_amount: amount(row.our_units),
    our_time: row.our_at,
    their_amount: amount(row.their_units),
    their_time: row.their_at,
    history: row.history.map((event) => ({
      ...event,
      at: new Date(String(event['at'])).toISOString(),
    })),
    age_seconds: Math.max(0, Math.floor((end - Date.parse(row.found_at)) / 1000)),
  };
}
