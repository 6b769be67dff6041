import { type Db, run } from '#kernel/db/db.ts';

export type BreakKind = 'BURN' | 'MINT' | 'STUCK' | 'SUPPLY';

/** Something that is not as it should be, and what is known of it. */
export interface Break {
  readonly kind: BreakKind;
  /** The transfer's log_id, or the chain. */
  readonly subject: string;
  readonly details: Readonly<Record<string, string>>;
}

/** Writes it down once, however often it is found; answers whether it is new. */
export async function openBreak(
  db: Db,
  { kind, subject, details }: Break,
  at: Date,
): Promise<boolean> {
  const [row] = await run<{ is_new: boolean }>(
    db,
    `insert into crosschain_breaks (kind, subject, details, found_at, last_at)
     values ($1, $2, $3::jsonb, $4, $4)
     on conflict (kind, subject) where settled_at is null
       do update set last_at = excluded.last_at, details = excluded.details
     returning found_at = last_at as is_new`,
    [kind, subject, JSON.stringify(details), at.toISOString()],
  );
  return row?.is_new === true;
}

/** It is as it should be by now. */
export async function settleBreak(
  db: Db,
  kind: BreakKind,
  subject: string,
  at: Date,
): Promise<void> {
  await run(
    db,
    `update crosschain_breaks set settled_at = $3
     where kind = $1 and subject = $2 and settled_at is null`,
    [kind, subject, at.toISOString()],
  );
}
