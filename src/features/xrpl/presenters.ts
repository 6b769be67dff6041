import { type TProperties, Type } from 'typebox';
import type { XrplNetwork } from '#chains/xrpl/port.ts';
import { type PackedConversion, unpackConversion } from '#features/fx/fx.ts';
import { named } from '#kernel/http/named.ts';
import { Id, Nullable, TextOrNull, Timestamp } from '#kernel/http/schema.ts';
import { format, toWire } from '#kernel/money/money.ts';
import type { XrplRecord } from './store.ts';

/** XRPL transaction (contract). */
export const XrplTx = named('XrplTransaction', {
  id: Id,
  user_id: Id,
  tx_type: Type.String(),
  tx_hash: TextOrNull,
  source_address: TextOrNull,
  destination_address: TextOrNull,
  currency_code: Type.String(),
  amount: Type.String(),
  status: Type.String(),
  raw_response: TextOrNull,
  created_at: Timestamp,
  updated_at: Timestamp,
});

export const shownTx = ({ operation: _, units, ...record }: XrplRecord) => ({
  ...record,
  amount: format({ asset: 'USDC', units }),
});

/** The hash is known since it was signed, also while no ledger has it. */
export async function shownWithHash(
  xrpl: Pick<XrplNetwork, 'hashOf'>,
  record: XrplRecord,
): Promise<ReturnType<typeof shownTx>> {
  if (record.tx_hash !== null) return shownTx(record);
  const step = record.tx_type === 'ONRAMP' ? 'issue' : 'send';
  const tx_hash = (await xrpl.hashOf(`${record.operation}:${step}`)) ?? null;
  return shownTx({ ...record, tx_hash });
}

export const Fx = named('XrplRate', {
  route: Type.String(),
  usdcIntermediate: Type.String(),
  result: Type.String(),
  rate: Type.String(),
  source: Type.String(),
  at: Timestamp,
});

/** What was paid with which rate, for an on-ramp. */
export function shownFx(kept: PackedConversion) {
  const { route, usdc, result, rate_in, source, at } = unpackConversion(kept);
  return {
    ...{ route, source, at },
    usdcIntermediate: format(usdc),
    result: format(result),
    rate: rate_in,
  };
}

export const Payout = named('XrplPayout', {
  target_fiat: TextOrNull,
  fiat_amount: Nullable(Type.Number()),
  payout_type: TextOrNull,
  destination_bank: Type.Unsafe<unknown>({}),
});

/** What an off-ramp pays out; nothing where the USDC goes to an address. */
export function shownPayout(
  kept: PackedConversion | undefined,
  { payout_type = 'PLATFORM_WALLET', destination_bank = null }: PayoutWish,
) {
  if (!kept) return { target_fiat: null, fiat_amount: null, payout_type: null, destination_bank };
  const { result } = unpackConversion(kept);
  const fiat_amount = toWire(result);
  return { target_fiat: result.asset, fiat_amount, payout_type, destination_bank };
}

interface PayoutWish {
  readonly payout_type?: string;
  readonly destination_bank?: unknown;
}

export const answerOf = <T extends TProperties>(data: T) =>
  Type.Object({ message: Type.String(), data: Type.Object(data) });
