import { type Money, percent } from '#kernel/money/money.ts';
import type { PaymentMethod } from '#providers/gateway/port.ts';

type Idr = Money<'IDR'>;

/** Units of IDR in a rupiah. Gateways and banks move nothing less than one. */
const RUPIAH = 100n;
const rupiah = (whole: bigint): Idr => ({ asset: 'IDR', units: whole * RUPIAH });

interface MethodTerms {
  readonly name: string;
  /** The fee on top of the amount: fixed, or a percentage of it. */
  readonly terms: { readonly fixed: Idr } | { readonly percent: string };
}

/** Contract part 3, IDR token: fees and limits, for all charges, refusals and answers. */
export const METHODS: Readonly<Record<PaymentMethod, MethodTerms>> = {
  QRIS: { name: 'QRIS', terms: { fixed: rupiah(0n) } },
  VA: { name: 'Virtual Account', terms: { fixed: rupiah(3000n) } },
  EWALLET: { name: 'E-Wallet', terms: { percent: '1.67' } },
};

export const ONRAMP_LIMITS = { least: rupiah(20_000n), most: rupiah(100_000_000n) } as const;
export const OFFRAMP_LEAST = rupiah(20_000n);

/** The price of a bank transfer, by its amount at most; the last tier is the limit. */
export const REDEEM_TIERS = [
  { upTo: rupiah(250_000_000n), fee: rupiah(5000n), waitsForOffice: false },
  { upTo: rupiah(1_000_000_000n), fee: rupiah(35_000n), waitsForOffice: true },
] as const;

export const REFUND_BASE = rupiah(5000n);

/** A payment is open for so long; then an unpaid one is cancelled. */
export const PAYABLE_HOURS = 24;

export const isWholeRupiah = ({ units }: Idr): boolean => units % RUPIAH === 0n;

/** Of a payment, rounded up to whole rupiah. */
export function onrampFee(method: PaymentMethod, amount: Idr): Idr {
  const { terms } = METHODS[method];
  if ('fixed' in terms) return terms.fixed;
  const { units } = percent(amount, terms.percent, 'up');
  return rupiah((units + RUPIAH - 1n) / RUPIAH);
}

/** The tier of that amount; undefined above the limit. */
export const redeemTier = ({ units }: Idr) => REDEEM_TIERS.find(({ upTo }) => units <= upTo.units);

/**
 * Of a redemption; throws above the limit. A bank transfers no cents: they go with the fee, so that the books account
 * for the burn to the last unit.
 */
export function redeemFee(amount: Idr): Idr {
  return { asset: 'IDR', units: tierFee(amount) + (amount.units % RUPIAH) };
}

/** Of a refund: the base and the price of a transfer of the amount (contract: Refund fee). */
export const refundFee = (amount: Idr): Idr => ({
  asset: 'IDR',
  units: REFUND_BASE.units + tierFee(amount),
});

function tierFee(amount: Idr): bigint {
  const tier = redeemTier(amount);
  if (tier === undefined) throw new Error('No fee is known above the limit');
  return tier.fee.units;
}
