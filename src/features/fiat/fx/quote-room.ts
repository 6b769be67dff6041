import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { convert, type Money } from '#kernel/money/money.ts';
import type { RateReading } from '#providers/fx/port.ts';
import { rateFor } from './convert.ts';
import { lockPositions, type Position, readPositions } from './position-store.ts';
import type { Quotable } from './quote-price.ts';
import { countOpenQuotes, expireQuotes } from './quote-store.ts';

const OPEN_MAX = 20;
const EXPIRED_AT_ONCE = 500;

/** Refuses the user's quote above the most that may be open; quotes of one user wait for one another. */
export async function requireOpenRoom(tx: Db, user_id: number): Promise<void> {
  const { open, first_ends } = await countOpenQuotes(tx, user_id);
  if (open < OPEN_MAX) return;
  throw fail('LIMIT_EXCEEDED', `There are ${OPEN_MAX} open quotes already`, {
    status: 429,
    details: { limit_id: 'open_quotes', limit: OPEN_MAX, used: open, resets_at: first_ends },
    hint: 'Use one, cancel one, or wait until the first of them ends.',
  });
}

interface Promised {
  readonly sold: Money<Quotable>;
  readonly bought: Money<Quotable>;
}

/**
 * Refuses a quote by which the platform could have bought or sold more of a currency than its limit, if all open
 * quotes that lead there were used. Quotes of one currency wait for one another; what is used needs not to wait.
 */
export async function requirePositionRoom(
  tx: Db,
  rates: RateReading,
  promised: Promised,
): Promise<void> {
  const currencies = [promised.sold.asset, promised.bought.asset];
  await lockPositions(tx, currencies);
  let over = overLimit(await readPositions(tx, currencies), rates, promised);
  // Those whose time is over may still be counted.
  while (over !== undefined && (await expireQuotes(tx, EXPIRED_AT_ONCE)) > 0)
    over = overLimit(await readPositions(tx, currencies), rates, promised);
  if (over === undefined) return;
  throw fail('POSITION_LIMIT', `The platform takes no more of ${over} for now`, {
    details: { currency: over },
    hint: 'Ask for a smaller amount, or later.',
  });
}

/** The currency of which there would be too much, on the side that the quote adds to. */
function overLimit(
  positions: readonly Position[],
  rates: RateReading,
  { sold, bought }: Promised,
): Quotable | undefined {
  const over = positions.find(({ currency, posted, quoted_in, quoted_out, max_open_usd }) => {
    const open =
      currency === sold.asset
        ? posted + quoted_in + sold.units
        : quoted_out + bought.units - posted;
    return open > 0n && usdWorth(rates, { asset: currency, units: open }) > max_open_usd;
  });
  return over?.currency;
}

/** In cents of a US dollar, at the middle of the market. */
export const usdWorth = (rates: RateReading, { asset, units }: Money<Quotable>): bigint => {
  const worth = convert(
    { asset, units: units < 0n ? -units : units },
    rateFor(rates, asset, 'USD'),
    'USD',
    'nearest',
  ).units;
  return units < 0n ? -worth : worth;
};
