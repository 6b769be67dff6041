import type { Db } from '#kernel/db/db.ts';
import type { Conversion } from './convert.ts';

interface ConversionOwner {
  readonly reference: string;
  readonly user_id: number;
  /** The quote that it was made by. */
  readonly quote_id?: string | null;
}

/**
 * Records a conversion in the transaction that moves its money. Once for a reference, which is the key of that
 * posting or its beginning.
 */
export async function recordConversion(
  tx: Db,
  { reference, user_id, quote_id = null }: ConversionOwner,
  { from, usdc, result, rate_in, rate_out, source, at }: Conversion,
): Promise<void> {
  await tx
    .insertInto('fx_conversions')
    .values({
      reference,
      user_id,
      quote_id,
      from_asset: from.asset,
      from_units: from.units,
      usdc_units: usdc.units,
      to_asset: result.asset,
      to_units: result.units,
      rate_in,
      rate_out,
      source,
      rates_at: at,
    })
    .onConflict((conflict) => conflict.constraint('fx_conversions_once').doNothing())
    .execute();
}
