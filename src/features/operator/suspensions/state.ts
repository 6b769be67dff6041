import { type TProperties, Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { Id, Nullable, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import { lastSuspensions, type SuspensionRecord, type SuspensionSubject } from './store.ts';

/** Whether a client, user or wallet is suspended, since when, by whom and why, as far as it is recorded. */
export interface SuspensionState {
  readonly is_stopped: boolean;
  readonly reason: string | null;
  readonly stopped_by: number | null;
  readonly stopped_at: string | null;
}

export const SUSPENSION_STATE = {
  is_stopped: Type.Boolean(),
  reason: TextOrNull,
  stopped_by: Nullable(Id),
  stopped_at: Nullable(Timestamp),
} satisfies TProperties;

/** Derived from the last record. A suspension by SQL has no record. */
export function suspensionStateOf(
  is_stopped: boolean,
  last: SuspensionRecord | undefined,
): SuspensionState {
  const known = is_stopped && last?.what === 'stopped' ? last : undefined;
  return {
    is_stopped,
    reason: known?.reason ?? null,
    stopped_by: known?.by_user_id ?? null,
    stopped_at: known?.at ?? null,
  };
}

/** The same for several rows. */
export async function withSuspensions<
  S extends SuspensionSubject,
  R extends Readonly<Record<S, number>> & { readonly is_stopped: boolean },
>(db: Db, subject: S, rows: readonly R[]): Promise<(R & SuspensionState)[]> {
  const stopped = rows.filter(({ is_stopped }) => is_stopped).map((row) => row[subject]);
  const last = await lastSuspensions(db, subject, stopped);
  return rows.map((row) => ({
    ...row,
    ...suspensionStateOf(row.is_stopped, last.get(row[subject])),
  }));
}
