import type { Static } from 'typebox';
import { named } from '#kernel/http/declare/named.ts';
import { explained, TextOrNull } from '#kernel/http/declare/schema.ts';
import { convert } from '#kernel/money/money.ts';
import type { ConversionDeps } from './deps.ts';
import { latestFees } from './fee-store.ts';
import { conversionDollars } from './presenters.ts';
import type { ConversionJob } from './store.ts';

/** The likely result of a conversion; `null` is unknown. USDC as decimal text. */
export const Estimate = named('ConversionEstimate', {
  usdc_bought: explained(TextOrNull, 'By the reference rate, before fees'),
  exchange_fee_usdc: explained(TextOrNull, 'By what the exchange took of the latest trade'),
  network_fee_usdc: explained(
    TextOrNull,
    'What the latest withdrawal on the network of the primary wallet cost',
  ),
  usdc_arriving: explained(TextOrNull, 'What is left of it for the wallet'),
});

const UNKNOWN = {
  usdc_bought: null,
  exchange_fee_usdc: null,
  network_fee_usdc: null,
  usdc_arriving: null,
};

/** For the user, who bears the fees; an unreachable provider does not delay the answer to a disbursement. */
export async function estimate(
  { db, fx }: Pick<ConversionDeps, 'db' | 'fx'>,
  { amount, user_id }: Pick<ConversionJob, 'amount' | 'user_id'>,
): Promise<Static<typeof Estimate>> {
  const rate = await fx.rate('IDR', 'USDC');
  if (rate.kind !== 'done') return UNKNOWN;
  const bought = convert({ asset: 'IDR', units: amount }, rate.value.rate, 'USDC', 'down').units;
  const { trade_fee, trade_bought, network_fee } = await latestFees(db, user_id);
  const exchange =
    trade_fee === null || trade_bought === null ? null : ceil(bought * trade_fee, trade_bought);
  const left = bought - (exchange ?? 0n) - (network_fee ?? 0n);
  const isKnown = exchange !== null && network_fee !== null && left > 0n;
  return {
    usdc_bought: conversionDollars(bought),
    exchange_fee_usdc: exchange === null ? null : conversionDollars(exchange),
    network_fee_usdc: network_fee === null ? null : conversionDollars(network_fee),
    usdc_arriving: isKnown ? conversionDollars(left) : null,
  };
}

const ceil = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;
