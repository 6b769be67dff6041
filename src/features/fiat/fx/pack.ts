import type { Asset, Money } from '#kernel/money/money.ts';
import type { Conversion } from './convert.ts';

/** A conversion as JSON has it, for the data of a flow. */
export type PackedConversion = {
  readonly [K in keyof Conversion]: Conversion[K] extends Money<infer A>
    ? { readonly asset: A; readonly units: string }
    : Conversion[K];
};

const packed = <A extends Asset>({ asset, units }: Money<A>) => ({ asset, units: `${units}` });
const unpacked = <A extends Asset>(kept: { readonly asset: A; readonly units: string }) => ({
  asset: kept.asset,
  units: BigInt(kept.units),
});

export const packConversion = (conversion: Conversion): PackedConversion => ({
  ...conversion,
  from: packed(conversion.from),
  usdc: packed(conversion.usdc),
  result: packed(conversion.result),
});

export const unpackConversion = (kept: PackedConversion): Conversion => ({
  ...kept,
  from: unpacked(kept.from),
  usdc: unpacked(kept.usdc),
  result: unpacked(kept.result),
});
