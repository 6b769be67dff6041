import { type Outcome, type Refusal, refused } from '#kernel/effects/outcome.ts';
import { convert } from '#kernel/money/money.ts';
import type { ExchangeOffer } from '#providers/exchange/port.ts';
import type { ConversionDeps } from './deps.ts';

/** Such a limit allows every price, so that the market is not read. */
const ANY_POINTS = 10_000n;

type Deps = Pick<ConversionDeps, 'exchange' | 'fx' | 'slippagePoints'>;

/**
 * Why an order of so many units of IDR is not to be sent now: the order book gives a worse price than the reference
 * rate and the limit allow. Undefined where it may be sent. It sends nothing itself.
 */
export async function priceRefusal(deps: Deps, units: bigint): Promise<Refusal | undefined> {
  const { exchange, fx, slippagePoints } = deps;
  if (slippagePoints >= ANY_POINTS) return undefined;
  const reference = await fx.rate('USDC', 'IDR');
  if (reference.kind !== 'done')
    return refused('NO_REFERENCE_RATE', 'There is no rate to hold the exchange’s price against');
  const offer = await exchange.price(units);
  if (offer.kind !== 'done') return refused('NO_PRICE', 'The exchange does not tell its price');
  return verifyPrice(offer, reference.value.rate, slippagePoints);
}

function verifyPrice(
  { value }: Outcome<ExchangeOffer> & { kind: 'done' },
  rate: string,
  points: bigint,
) {
  const { spent, bought } = value;
  if (bought === 0n) return refused('NOT_FILLED', 'There is no seller at the moment');
  const fair = convert({ asset: 'USDC', units: bought }, rate, 'IDR', 'up').units;
  if (spent * 10_000n <= fair * (10_000n + points)) return undefined;
  return refused('PRICE_LIMIT', 'The exchange sells for more than the limit allows');
}
