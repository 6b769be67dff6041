import { exchangeLegs } from '#features/fiat/fx/fx.ts';
import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Leg, transfer } from '#kernel/ledger/ledger.ts';
import type { Money } from '#kernel/money/money.ts';

/** A user's USDC on the platform's address. */
export const openUsdc = (tx: Db, user_id: number): Promise<number> =>
  openAccount(tx, { owner: `user:${user_id}`, purpose: 'xrpl', asset: 'USDC' });

/** Who pays in mock mode for what nobody has; and where bank transfers go that nobody makes. */
export const openSponsor = (tx: Db, asset: Money['asset']): Promise<number> =>
  openAccount(tx, houseAccount('xrpl-sponsored', asset));
export const openMockBank = (tx: Db, asset: Money['asset']): Promise<number> =>
  openAccount(tx, houseAccount('xrpl-mock-bank', asset));
/** On its way to banks: redeemed, and not yet paid out. */
export const openXrplPayouts = (tx: Db, asset: Money['asset']): Promise<number> =>
  openAccount(tx, houseAccount('xrpl-payouts', asset));

/** What was charged for bank transfers. */
export const openFees = (tx: Db, asset: Money['asset']): Promise<number> =>
  openAccount(tx, houseAccount('xrpl-fees', asset));

/** What the chain says of ours, and the same seen from the issuer. */
export async function chainAccounts(tx: Db) {
  return {
    /** Minus posted is what the platform's address holds. */
    held: await openAccount(tx, houseAccount('xrpl', 'USDC')),
    /** Posted is what the issuer owes all who hold it. */
    issued: await openAccount(tx, houseAccount('xrpl-issued', 'USDC')),
  };
}

/** USDC made by the issuer for the platform's address. */
export async function issueLegs(tx: Db, units: bigint): Promise<Leg[]> {
  const { held, issued } = await chainAccounts(tx);
  return transfer(held, issued, units);
}

/** Fiat is sold for USDC, which was issued for it; the payer's part was set aside before. */
export async function onrampLegs(
  tx: Db,
  trade: { readonly payer: number; readonly user_id: number } & Sale,
): Promise<Leg[]> {
  const { payer, user_id, sold, bought } = trade;
  const payee = await openUsdc(tx, user_id);
  const legs = await exchangeLegs(tx, { payer, sold, payee, bought });
  return [...fromHeld(legs, payer), ...(await issueLegs(tx, bought.units))];
}

interface Sale {
  readonly sold: Money;
  readonly bought: Money;
}

/** USDC goes to an address outside. */
export async function sendLegs(tx: Db, payer: number, units: bigint): Promise<Leg[]> {
  const { held } = await chainAccounts(tx);
  return fromHeld(transfer(payer, held, units), payer);
}

/** USDC went back to the issuer, and is sold for fiat. */
export async function redeemLegs(
  tx: Db,
  trade: { readonly payer: number; readonly payee: number } & Sale,
): Promise<Leg[]> {
  const { held, issued } = await chainAccounts(tx);
  const legs = await exchangeLegs(tx, trade);
  return [...fromHeld(legs, trade.payer), ...transfer(issued, held, trade.sold.units)];
}

/** The other way: the pay-out came back, and the USDC was issued anew. */
export async function reissueLegs(
  tx: Db,
  trade: { readonly payer: number; readonly payee: number } & Sale,
): Promise<Leg[]> {
  const legs = await exchangeLegs(tx, trade);
  return [...legs, ...(await issueLegs(tx, trade.bought.units))];
}

/** What an account pays out of what was set aside of it. */
const fromHeld = (legs: readonly Leg[], payer: number): Leg[] =>
  legs.map((leg) => (leg.account === payer ? { ...leg, held: leg.amount } : leg));

/** With a transfer: the transaction on the ledger that it stands for, its destination tag, and whose it is. */
export const metaOf = (
  { client_id, tag }: { readonly client_id: number; readonly tag?: number | undefined },
  hash: string | undefined,
) => ({
  hash,
  client_id,
  ...(tag !== undefined && { tag }),
});
