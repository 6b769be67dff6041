import { exchangeLegs, recordConversion } from '#features/fiat/fx/fx.ts';
import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { Asset } from '#kernel/money/money.ts';
import { inverse } from '#kernel/money/rate.ts';
import { routeOf } from './quote.ts';
import type { PurchaseOrder } from './store.ts';

/** The ledger operations of a purchase, one for each step, under the order's id. */

const house = (tx: Db, purpose: string, asset: Asset): Promise<number> =>
  openAccount(tx, houseAccount(purpose, asset));

/** Minus posted is the USDC that the treasury got for purchases, less refunds. */
const PAYMENTS = 'purchase-payments';
/** USDC that is not sold yet. */
const UNSOLD = 'purchases';
/** Owed to shops. */
const OWED = 'purchases-owed';

const RATE_DIGITS = 18;

const keyOf = ({ order_id }: PurchaseOrder, step: string): string => `purchase:${order_id}:${step}`;
const priceOf = ({ price_asset: asset, price_units: units }: PurchaseOrder) => ({ asset, units });
const usdcOf = ({ usdc_units: units }: PurchaseOrder) => ({ asset: 'USDC', units }) as const;

/** The chain has the payment: the USDC is the platform's. */
export async function bookPayment(tx: Db, order: PurchaseOrder, tx_hash: string): Promise<void> {
  const [payments, unsold] = [await house(tx, PAYMENTS, 'USDC'), await house(tx, UNSOLD, 'USDC')];
  const legs = transfer(payments, unsold, order.usdc_units);
  const meta = { chain_id: order.chain_id, tx_hash };
  await postWithin(tx, { key: keyOf(order, 'paid'), kind: 'purchase-payment', legs, meta });
}

/** The off-ramp: sells the USDC to the house's position for the shop's price, at the order's rate. */
export async function bookSale(tx: Db, order: PurchaseOrder): Promise<void> {
  const [sold, bought] = [usdcOf(order), priceOf(order)];
  const { user_id, rate, rates_source: source, rates_at: at } = order;
  const key = keyOf(order, 'sold');
  await recordConversion(
    tx,
    { reference: key, user_id },
    {
      from: sold,
      usdc: sold,
      result: bought,
      route: routeOf(order.price_asset),
      rate_in: '1',
      rate_out: inverse(rate, RATE_DIGITS, 'half-even'),
      source,
      at,
    },
  );
  const legs = await exchangeLegs(tx, {
    payer: await house(tx, UNSOLD, 'USDC'),
    sold,
    payee: await house(tx, OWED, order.price_asset),
    bought,
  });
  await postWithin(tx, { key, kind: 'purchase-sale', legs });
}

/** Reverses the sale at the same rate, and books the refund to the buyer's wallet. */
export async function bookRefund(tx: Db, order: PurchaseOrder, tx_hash: string): Promise<void> {
  const payments = await house(tx, PAYMENTS, 'USDC');
  const legs = await exchangeLegs(tx, {
    payer: await house(tx, OWED, order.price_asset),
    sold: priceOf(order),
    payee: payments,
    bought: usdcOf(order),
  });
  const meta = { chain_id: order.chain_id, tx_hash };
  await postWithin(tx, { key: keyOf(order, 'refunded'), kind: 'purchase-refund', legs, meta });
}
