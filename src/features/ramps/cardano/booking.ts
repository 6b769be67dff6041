import { CIRCULATION, costLegs, type Done, markBooked } from '#chains/cardano/port.ts';
import { type Fiat, findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { recordConversion } from '#features/fiat/fx/fx.ts';
import { payoutHouse } from '#features/fiat/payouts/payouts.ts';
import { mergedLegs } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Operation, release, transfer } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { Asset } from '#kernel/money/money.ts';
import { type CardanoOrder, cardanoFlowId, chargedFor } from './store.ts';

/** Everything that an order moves in the ledger: a step each, under the order's name. */

async function accountOf(tx: Db, wallet_id: number): Promise<number> {
  const wallet = await findFiatWallet(tx, {}, wallet_id);
  if (!wallet) throw new Error(`There is no wallet ${wallet_id}`);
  return wallet.account_id;
}

/** By which the ledger knows what is held for it: a card's money comes under the same name. */
export const heldFor = ({ order_id }: Pick<CardanoOrder, 'order_id'>) => ({
  hold: cardanoFlowId(order_id),
});

const orderKey = ({ order_id }: Pick<CardanoOrder, 'order_id'>, step: string): string =>
  `cardano:${order_id}:${step}`;

const HOUSE = {
  fees: 'cardano-fees',
  position: 'fx',
  circulation: CIRCULATION,
  /** Waits for the gateway to pay it out. */
  owed: 'cardano-owed',
  /** A simulated bank has received it. */
  paidOut: 'cardano-bank-payouts',
} as const;

type HouseName = keyof typeof HOUSE | 'paying';

/** Opens the house's accounts in one asset; `paying` is the money at the provider that pays banks in it. */
const houseIn =
  (tx: Db, asset: Asset) =>
  (name: HouseName): Promise<number> =>
    openAccount(tx, houseAccount(name === 'paying' ? payoutHouse(asset) : HOUSE[name], asset));

/**
 * The hold is paid: the fees to the platform, the rest to the house's position in the currency, which gives its
 * USDC into circulation.
 */
export async function bookMint(tx: Db, order: CardanoOrder, done: Done): Promise<void> {
  const { currency_from, fiat_amount, onramp_fee, network_fee, usdc, user_id } = order;
  const key = orderKey(order, 'minted');
  const sold = fiat_amount - onramp_fee;
  await markBooked(tx, done.hash);
  const from = { asset: currency_from, units: sold };
  await recordConversion(tx, { reference: key, user_id }, { ...conversionOf(order), from });
  const wallet = await accountOf(tx, order.wallet_from_id);
  const paid = houseIn(tx, currency_from);
  const usdcOf = houseIn(tx, 'USDC');
  const legs = [
    { account: wallet, amount: -chargedFor(order), held: -chargedFor(order) },
    ...mergedLegs([
      { account: await paid('fees'), amount: onramp_fee + network_fee },
      { account: await paid('position'), amount: sold },
    ]),
    ...transfer(await usdcOf('position'), await usdcOf('circulation'), usdc),
    ...(await costLegs(tx, done)),
  ];
  await postWithin(tx, { key, kind: 'cardano-mint', legs, meta: heldFor(order) });
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

interface Offramp {
  readonly currency: Fiat;
  readonly payout: bigint;
  readonly fee: bigint;
}

function offrampOf({ order_id, currency_to, payout, offramp_fee }: CardanoOrder): Offramp {
  if (currency_to === null || payout === null || offramp_fee === null)
    throw new Error(`${order_id} goes on to no currency`);
  return { currency: currency_to, payout, fee: offramp_fee };
}

/** USDC leaves circulation, and its price in the currency goes to the payee, less the fee. */
export async function bookBurn(tx: Db, order: CardanoOrder, done: Done): Promise<void> {
  const { currency, payout, fee } = offrampOf(order);
  await markBooked(tx, done.hash);
  const paid = houseIn(tx, currency);
  const usdcOf = houseIn(tx, 'USDC');
  const { wallet_to_id, simulated } = order;
  const payee =
    wallet_to_id === null
      ? await paid(simulated ? 'paidOut' : 'owed')
      : await accountOf(tx, wallet_to_id);
  const legs = [
    ...transfer(await usdcOf('circulation'), await usdcOf('position'), order.usdc),
    ...mergedLegs([
      { account: await paid('position'), amount: -(payout + fee) },
      { account: payee, amount: payout },
      { account: await paid('fees'), amount: fee },
    ]),
    ...(await costLegs(tx, done)),
  ];
  await postWithin(tx, { key: orderKey(order, 'burnt'), kind: 'cardano-burn', legs });
}

/** The gateway or the bank host has paid it out of what it holds for us. */
export async function bookPayout(tx: Db, order: CardanoOrder): Promise<void> {
  const { currency, payout } = offrampOf(order);
  const account = houseIn(tx, currency);
  const legs = transfer(await account('owed'), await account('paying'), payout);
  await postWithin(tx, { key: orderKey(order, 'paid-out'), kind: 'cardano-payout', legs });
}

/**
 * The payout failed: the amount goes back from its present holder to the wallet that paid, the percentages
 * included, at the rates at which it was sold. The network's charge is not refunded, since the network has it.
 */
export async function returnOperation(
  tx: Db,
  order: CardanoOrder,
  holder: 'owed' | 'paying',
): Promise<Operation> {
  const { fiat_amount, onramp_fee } = order;
  const { currency, payout, fee } = offrampOf(order);
  const bought = houseIn(tx, currency);
  const sold = houseIn(tx, order.currency_from);
  const legs = mergedLegs([
    { account: await bought(holder), amount: -payout },
    { account: await bought('fees'), amount: -fee },
    { account: await bought('position'), amount: payout + fee },
    { account: await sold('fees'), amount: -onramp_fee },
    { account: await sold('position'), amount: -(fiat_amount - onramp_fee) },
    { account: await accountOf(tx, order.wallet_from_id), amount: fiat_amount },
  ]);
  return { key: orderKey(order, 'returned'), kind: 'cardano-return', legs };
}

/** Nothing was minted: the hold is released. */
export async function bookRelease(tx: Db, order: CardanoOrder): Promise<void> {
  const wallet = await accountOf(tx, order.wallet_from_id);
  const legs = release(wallet, chargedFor(order));
  const key = orderKey(order, 'released');
  await postWithin(tx, { key, kind: 'cardano-release', legs, meta: heldFor(order) });
}
