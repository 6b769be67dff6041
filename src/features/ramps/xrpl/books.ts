import { exchangeLegs } from '#features/fiat/fx/fx.ts';
import { fromHeld, houseAccountsOf } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Leg, transfer } from '#kernel/ledger/ledger.ts';
import type { Money } from '#kernel/money/money.ts';

/** A user's USDC on the platform's address. */
export const openUsdc = (tx: Db, user_id: number): Promise<number> =>
  openAccount(tx, { owner: `user:${user_id}`, purpose: 'xrpl', asset: 'USDC' });

const HOUSE = {
  /** Pays in mock mode where the user lacks money. */
  sponsor: 'xrpl-sponsored',
  /** Gets the bank transfers of mock mode, which no bank makes. */
  mockBank: 'xrpl-mock-bank',
  /** Redeemed, and not yet paid out. */
  payouts: 'xrpl-payouts',
} as const;

export const openXrplHouse = (
  tx: Db,
  name: keyof typeof HOUSE,
  asset: Money['asset'],
): Promise<number> => openAccount(tx, houseAccount(HOUSE[name], asset));

/** The platform's address as the chain sees it, and the same seen from the issuer. */
export const chainAccounts = (tx: Db) =>
  houseAccountsOf(tx, {
    /** Minus posted is what the platform's address holds. */
    held: ['xrpl', 'USDC'],
    /** Posted is what the issuer owes all holders. */
    issued: ['xrpl-issued', 'USDC'],
  });

/** USDC made by the issuer for the platform's address. */
export async function issueLegs(tx: Db, units: bigint): Promise<Leg[]> {
  const { held, issued } = await chainAccounts(tx);
  return transfer(held, issued, units);
}

/** Fiat is sold for USDC, which was issued for it; the payer's part was held before. */
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

/** The reverse: the pay-out came back, and the issuer has reissued the USDC. */
export async function reissueLegs(
  tx: Db,
  trade: { readonly payer: number; readonly payee: number } & Sale,
): Promise<Leg[]> {
  const legs = await exchangeLegs(tx, trade);
  return [...legs, ...(await issueLegs(tx, trade.bought.units))];
}

/** Of a transfer: its transaction on the ledger, its destination tag, and its client. */
export const metaOf = (
  { client_id, tag }: { readonly client_id: number; readonly tag?: number | undefined },
  hash: string | undefined,
) => ({
  hash,
  client_id,
  ...(tag !== undefined && { tag }),
});
