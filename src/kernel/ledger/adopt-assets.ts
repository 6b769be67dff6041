import { type Db, run } from '../db/db.ts';
import { setAssets } from '../money/money.ts';

/** The process's assets are from now on those of its ledger. Throws where it counts one otherwise. */
export async function adoptAssets(db: Db): Promise<void> {
  const rows = await run<{ asset: string; scale: number }>(
    db,
    'select asset, scale from ledger.assets',
    [],
  );
  setAssets(rows);
}
