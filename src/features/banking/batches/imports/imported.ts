import type { SentRow } from '../typed-rows.ts';

/** What a file says of a batch, beside its rows. */
export interface ImportedBatch {
  readonly rows: readonly SentRow[];
  readonly name?: string;
  readonly source_wallet_id?: number;
  /** The day on which it is paid, `2026-11-30`, in the time zone of its banks. */
  readonly day?: string;
  /** A moment, in UTC. */
  readonly execute_at?: string;
  /** By which the same message is known again. */
  readonly import_key?: string;
}

export const ROWS_MAX = 10_000;
