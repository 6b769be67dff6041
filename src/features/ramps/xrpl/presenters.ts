import { type TProperties, Type } from 'typebox';
import type { XrplNetwork } from '#chains/xrpl/port.ts';
import { type PackedConversion, unpackConversion } from '#features/fiat/fx/fx.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, Nullable, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import { format, toWire } from '#kernel/money/money.ts';
import type { XrplOfframp } from './redemption.ts';
import type { XrplRecord } from './store.ts';

/** XRPL transaction (contract). */
export const XrplTx = named('XrplTransaction', {
  id: Id,
  user_id: Id,
  tx_type: Type.String(),
  tx_hash: TextOrNull,
  source_address: TextOrNull,
  destination_address: TextOrNull,
  destination_tag: Nullable(
    Type.Integer({ description: 'Whose it is at that address, where it is of many people' }),
  ),
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

/** The price and the rate of an on-ramp. */
export function shownFx(kept: PackedConversion) {
  const { route, usdc, result, rate_in, source, at } = unpackConversion(kept);
  return {
    route,
    source,
    at,
    usdcIntermediate: format(usdc),
    result: format(result),
    rate: rate_in,
  };
}

export const XrplPayout = named('XrplPayout', {
  target_fiat: TextOrNull,
  fiat_amount: Nullable(Type.Number({ description: 'In target_fiat' })),
  payout_type: TextOrNull,
  destination_bank: Type.Unsafe<unknown>({}),
  receiver_currency: Nullable(Type.String({ description: 'What is credited or paid out' })),
  receiver_amount: Nullable(Type.Number({ description: 'What arrives' })),
  transfer_fee: Nullable(
    Type.Number({ description: 'What the bank transfer costs; fiat_amount less that arrives' }),
  ),
});

/** The pay-out of an off-ramp; null fields where the USDC goes to an address. */
export function shownPayout(
  {
    conversion,
    named: quoted,
    transferFee,
  }: Pick<XrplOfframp, 'conversion' | 'named' | 'transferFee'>,
  { payout_type = 'PLATFORM_WALLET', destination_bank = null }: PayoutInput,
) {
  const none = {
    receiver_currency: null,
    receiver_amount: null,
    transfer_fee: null,
    destination_bank,
  };
  if (!conversion) return { target_fiat: null, fiat_amount: null, payout_type: null, ...none };
  const { result } = unpackConversion(conversion);
  const fee = BigInt(transferFee ?? 0);
  const arrives = result.units - fee;
  const target = quoted ? { asset: quoted.asset, units: BigInt(quoted.units) } : result;
  return {
    target_fiat: target.asset,
    fiat_amount: toWire(target),
    payout_type,
    destination_bank,
    receiver_currency: result.asset,
    receiver_amount: toWire({ ...result, units: arrives }),
    transfer_fee: transferFee === undefined ? null : toWire({ ...result, units: fee }),
  };
}

interface PayoutInput {
  readonly payout_type?: string;
  readonly destination_bank?: unknown;
}

export const xrplAnswerOf = <T extends TProperties>(data: T) =>
  Type.Object({ message: Type.String(), data: Type.Object(data) });
