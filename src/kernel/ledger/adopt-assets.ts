import { type Db, run } from '../db/db.ts';
import { addAsset } from '../money/money.ts';

/** Makes the process know the ledger's assets. Throws where it counts one in other units. */
export async function adoptAssets(db: Db): Promise<void> {
  const rows = await run<{ asset: string; scale: number }>(
    db,
    'select asset, scale from ledger.assets',
    [],
  );
  for (const { asset, scale } of rows) addAsset(asset, scale);
}
