import { CIRCULATION, costLegs, type Done, markBooked } from '#chains/cardano/port.ts';
import { findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { recordConversion } from '#features/fiat/fx/fx.ts';
import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Leg, type Operation, release, transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { Asset, Money } from '#kernel/money/money.ts';
import { type CardanoOrder, chargedFor } from './store.ts';

/** Everything that an order moves in the ledger: a step each, under the order's name. */

const house = (tx: Db, purpose: string, asset: Asset): Promise<number> =>
  openAccount(tx, houseAccount(purpose, asset));

async function accountOf(tx: Db, wallet_id: number): Promise<number> {
  const wallet = await findFiatWallet(tx, {}, wallet_id);
  if (!wallet) throw new Error(`There is no wallet ${wallet_id}`);
  return wallet.account_id;
}

/** What waits for the gateway; and what a bank has got at its word. */
const OWED = 'cardano-owed';
const PAID_OUT = 'cardano-bank-payouts';
const FEES = 'cardano-fees';
const POSITION = 'fx';

const orderKey = ({ order_id }: Pick<CardanoOrder, 'order_id'>, step: string): string =>
  `cardano:${order_id}:${step}`;

/**
 * What was set aside is paid: the fees to the platform, the rest to the house's position in the currency,
 * which gives its USDC into circulation.
 */
export async function bookMint(tx: Db, order: CardanoOrder, done: Done): Promise<void> {
  const { currency_from, fiat_amount, onramp_fee, network_fee, usdc, user_id } = order;
  await markBooked(tx, done.hash);
  const from: Money<CardanoOrder['currency_from']> = {
    asset: currency_from,
    units: fiat_amount - onramp_fee,
  };
  await recordConversion(
    tx,
    { reference: orderKey(order, 'minted'), user_id },
    {
      ...conversionOf(order),
      from,
    },
  );
  const wallet = await accountOf(tx, order.wallet_from_id);
  const legs: Leg[] = [
    { account: wallet, amount: -chargedFor(order), held: -chargedFor(order) },
    ...(onramp_fee + network_fee > 0n
      ? [{ account: await house(tx, FEES, currency_from), amount: onramp_fee + network_fee }]
      : []),
    { account: await house(tx, POSITION, currency_from), amount: from.units },
    ...transfer(await house(tx, POSITION, 'USDC'), await house(tx, CIRCULATION, 'USDC'), usdc),
    ...(await costLegs(tx, done)),
  ];
  await postWithin(tx, { key: orderKey(order, 'minted'), kind: 'cardano-mint', legs });
}

const conversionOf = (order: CardanoOrder) => {
  const { usdc, rate_in, rate_out, rates_source: source, rates_at: at } = order;
  const { currency_to, payout, offramp_fee, currency_from } = order;
  const bought = { asset: 'USDC' as const, units: usdc };
  return {
    usdc: bought,
    result:
      currency_to === null
        ? bought
        : { asset: currency_to, units: (payout ?? 0n) + (offramp_fee ?? 0n) },
    route: [currency_from, 'USDC', currency_to ?? 'USDC'].join(' → '),
    rate_in,
    rate_out,
    source,
    at,
  };
};

/** USDC leaves circulation, and the currency that it buys goes to the payee, less the fee. */
export async function bookBurn(tx: Db, order: CardanoOrder, done: Done): Promise<void> {
  const { currency_to, payout, offramp_fee, usdc } = order;
  if (currency_to === null || payout === null || offramp_fee === null)
    throw new Error(`${order.order_id} goes on to no currency`);
  await markBooked(tx, done.hash);
  const legs: Leg[] = [
    ...transfer(await house(tx, CIRCULATION, 'USDC'), await house(tx, POSITION, 'USDC'), usdc),
    { account: await house(tx, POSITION, currency_to), amount: -(payout + offramp_fee) },
    { account: await payeeOf(tx, order, currency_to), amount: payout },
    ...(offramp_fee > 0n
      ? [{ account: await house(tx, FEES, currency_to), amount: offramp_fee }]
      : []),
    ...(await costLegs(tx, done)),
  ];
  await postWithin(tx, { key: orderKey(order, 'burnt'), kind: 'cardano-burn', legs });
}

const payeeOf = async (tx: Db, order: CardanoOrder, currency: Asset): Promise<number> =>
  order.wallet_to_id === null
    ? house(tx, order.simulated ? PAID_OUT : OWED, currency)
    : accountOf(tx, order.wallet_to_id);

/** The gateway has paid it out of what it holds for us. */
export async function bookPayout(tx: Db, order: CardanoOrder): Promise<void> {
  const { currency_to, payout } = order;
  if (currency_to === null || payout === null) throw new Error('A payout in no currency');
  const owed = await house(tx, OWED, currency_to);
  const legs = transfer(owed, await house(tx, 'gateway', currency_to), payout);
  await postWithin(tx, { key: orderKey(order, 'paid-out'), kind: 'cardano-payout', legs });
}

/**
 * Nobody paid it out: the amount goes back to the wallet that paid, the percentages included, at the rates at
 * which it was sold. What was charged for the network is not given back, since the network has it.
 */
export const returnOperation = (tx: Db, order: CardanoOrder): Promise<Operation> =>
  giveBack(tx, order, OWED);

/** The same of what a bank has sent back, which the gateway holds again. */
export const sentBackOperation = (tx: Db, order: CardanoOrder): Promise<Operation> =>
  giveBack(tx, order, 'gateway');

async function giveBack(tx: Db, order: CardanoOrder, holder: string): Promise<Operation> {
  const { currency_from, currency_to, payout, offramp_fee, fiat_amount, onramp_fee } = order;
  if (currency_to === null || payout === null || offramp_fee === null)
    throw new Error('A payout in no currency');
  const back: (readonly [number, bigint])[] = [
    [await house(tx, holder, currency_to), -payout],
    [await house(tx, FEES, currency_to), -offramp_fee],
    [await house(tx, POSITION, currency_to), payout + offramp_fee],
    [await house(tx, FEES, currency_from), -onramp_fee],
    [await house(tx, POSITION, currency_from), -(fiat_amount - onramp_fee)],
    [await accountOf(tx, order.wallet_from_id), fiat_amount],
  ];
  return { key: orderKey(order, 'returned'), kind: 'cardano-return', legs: merged(back) };
}

/** One leg for an account; none where nothing is left of it. */
function merged(all: readonly (readonly [number, bigint])[]): Leg[] {
  const sums = new Map<number, bigint>();
  for (const [account, amount] of all) sums.set(account, (sums.get(account) ?? 0n) + amount);
  return [...sums]
    .filter(([, amount]) => amount !== 0n)
    .map(([account, amount]) => ({ account, amount }));
}

/** Nothing was minted: what was set aside is free again. */
export async function bookRelease(tx: Db, order: CardanoOrder): Promise<void> {
  const wallet = await accountOf(tx, order.wallet_from_id);
  const legs = release(wallet, chargedFor(order));
  await postWithin(tx, { key: orderKey(order, 'released'), kind: 'cardano-release', legs });
}
