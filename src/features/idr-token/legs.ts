import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Operation, transfer, withFee } from '#kernel/ledger/ledger.ts';
import type { Mint } from './mint-store.ts';
import type { Redeem } from './redeem-store.ts';
import type { Refund } from './refund-store.ts';

/** The platform's own accounts in IDR; all but `fees` are below zero by what others hold for us. */
export interface HouseAccounts {
  /** What the gateway holds for us. */
  readonly gateway: number;
  /** Paid, and not minted yet. */
  readonly owed: number;
  /** Behind the tokens on chain. */
  readonly reserve: number;
  /** Burnt, and not paid out yet. */
  readonly redemptions: number;
  readonly fees: number;
}

/** Opens them the first time and keeps their numbers. Not within a transaction that may be undone. */
export function houseAccounts(db: Db): () => Promise<HouseAccounts> {
  let known: HouseAccounts | undefined;
  return async () => {
    known ??= {
      gateway: await openAccount(db, houseAccount('gateway', 'IDR')),
      owed: await openAccount(db, houseAccount('idr-token-owed', 'IDR')),
      reserve: await openAccount(db, houseAccount('idr-token-reserve', 'IDR')),
      redemptions: await openAccount(db, houseAccount('idr-token-redemptions', 'IDR')),
      fees: await openAccount(db, houseAccount('idr-token-fees', 'IDR')),
    };
    return known;
  };
}

/** The payer's money is at the gateway: the amount is owed in tokens, the fee is ours. */
export const paidOperation = (mint: Mint, { gateway, owed, fees }: HouseAccounts): Operation => ({
  key: `${mint.reference_id}:paid`,
  kind: 'idr-onramp-paid',
  legs: withFee({
    from: gateway,
    to: owed,
    fees,
    amount: mint.total_amount_idr,
    fee: mint.fee_amount,
  }),
});

/** The tokens are there; the money is behind them. Each mint has a name of its own. */
export const mintedOperation = (
  mint: Mint,
  attempt: number,
  { owed, reserve }: HouseAccounts,
): Operation => ({
  key: `${mint.reference_id}:minted:${attempt}`,
  kind: 'idr-token-minted',
  legs: transfer(owed, reserve, mint.amount_idr),
});

/** The chain has dropped the mint for good: the tokens are owed again. */
export const unmintedOperation = (
  mint: Mint,
  attempt: number,
  { owed, reserve }: HouseAccounts,
): Operation => ({
  key: `${mint.reference_id}:lost:${attempt}`,
  kind: 'idr-token-mint-lost',
  legs: transfer(reserve, owed, mint.amount_idr),
});

/** The tokens are gone; their money is to be paid out. */
export const burntOperation = (
  redeem: Redeem,
  { reserve, redemptions }: HouseAccounts,
): Operation => ({
  key: `${redeem.reference_id}:burnt`,
  kind: 'idr-token-burnt',
  legs: transfer(reserve, redemptions, redeem.amount_idr),
});

/** The gateway has paid the net amount out; the fee is ours. */
export const paidOutOperation = (
  redeem: Redeem,
  { gateway, redemptions, fees }: HouseAccounts,
): Operation => ({
  key: `${redeem.reference_id}:paid-out`,
  kind: 'idr-offramp-paid-out',
  legs: withFee({
    from: redemptions,
    to: gateway,
    fees,
    amount: redeem.amount_idr,
    fee: redeem.fee_amount,
  }),
});

/** The bank has sent it back to the gateway: all of it is to be paid out again, or refunded. */
export const returnedOperation = (
  redeem: Redeem,
  { gateway, redemptions, fees }: HouseAccounts,
): Operation => ({
  key: `${redeem.reference_id}:returned`,
  kind: 'idr-offramp-returned',
  legs: [
    { account: gateway, amount: -redeem.net_amount_idr },
    { account: fees, amount: -redeem.fee_amount },
    { account: redemptions, amount: redeem.amount_idr },
  ],
});

const SOURCES = {
  OWED: 'owed',
  RESERVE: 'reserve',
  REDEMPTIONS: 'redemptions',
  FEES: 'fees',
} as const;

/** To the user's wallet, less the refund's fee. */
export const refundOperation = (
  refund: Refund,
  wallet: number,
  accounts: HouseAccounts,
): Operation => {
  const from = accounts[SOURCES[refund.source]];
  const { amount_idr: amount, refund_fee: fee, net_refund } = refund;
  return {
    key: `${refund.reference_id}:refunded`,
    kind: 'idr-token-refund',
    // What the platform pays itself it takes no fee of from itself.
    legs:
      refund.source === 'FEES'
        ? transfer(from, wallet, net_refund)
        : withFee({ from, to: wallet, fees: accounts.fees, amount, fee }),
  };
};
