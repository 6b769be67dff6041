import { run } from '#kernel/db/db.ts';
import type { App } from '#src/app/app.ts';

/** Fails for money that was set aside by a posting of which no feature declares whose it is. */
export async function checkHolds({ kernel, features }: App): Promise<void> {
  const found = await run<{ kind: string }>(
    kernel.db,
    // Tests of the ledger itself post by kinds of their own.
    `select distinct kind from ledger.holds where kind not like 'test%' order by kind`,
    [],
  );
  const declared = new Set(features.holds.map(({ kind }) => kind));
  const missing = found.map(({ kind }) => kind).filter((kind) => !declared.has(kind));
  if (missing.length > 0)
    throw new Error(`No feature declares the holds of the postings ${missing.join(', ')}`);
}
