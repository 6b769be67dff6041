import type { Db } from '#kernel/db/db.ts';
import { houseAccount, openAccount } from '#kernel/ledger/accounts.ts';
import { type Leg, type Operation, transfer, withFee } from '#kernel/ledger/ledger.ts';
import type { TokenIssuer } from './issuer/issuer.ts';
import type { Mint } from './purchase/store.ts';
import type { Redeem } from './redemption/store.ts';
import type { IdrTokenRefund } from './refund/store.ts';
import type { UnmatchedPayment } from './unmatched/store.ts';

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
  /** Came in for purchases that it does not pay. */
  readonly unmatched: number;
  /** Given back by others than us. */
  readonly elsewhere: number;
}

/** By whichever connection is at hand: a transaction must not wait for another one. */
export const houseAccounts = async (db: Db): Promise<HouseAccounts> => ({
  gateway: await openAccount(db, houseAccount('gateway', 'IDR')),
  owed: await openAccount(db, houseAccount('idr-token-owed', 'IDR')),
  reserve: await openAccount(db, houseAccount('idr-token-reserve', 'IDR')),
  redemptions: await openAccount(db, houseAccount('idr-token-redemptions', 'IDR')),
  fees: await openAccount(db, houseAccount('idr-token-fees', 'IDR')),
  unmatched: await openAccount(db, houseAccount('idr-token-unmatched', 'IDR')),
  elsewhere: await openAccount(db, houseAccount('idr-token-elsewhere', 'IDR')),
});

/** Whose fee it is: a vendor of the token takes its own, and holds nothing of it for us. */
type Fees = Pick<TokenIssuer, 'ownFee'>;

/** The payer's money is at the gateway: the amount is owed in tokens, the fee is ours. */
export const paidOperation = (
  { reference_id, amount_idr, fee_amount }: Mint,
  { gateway, owed, fees }: HouseAccounts,
  { ownFee }: Fees,
): Operation => {
  const fee = ownFee(fee_amount);
  const legs = withFee({ from: gateway, to: owed, fees, amount: amount_idr + fee, fee });
  return { key: `${reference_id}:paid`, kind: 'idr-onramp-paid', legs };
};

/** Money has come in that pays no purchase: it is at the gateway, and owed to its payer. */
export const unmatchedOperation = (
  { payment_id, units }: UnmatchedPayment,
  { gateway, unmatched }: HouseAccounts,
): Operation => ({
  key: `idr-payment:${payment_id}:unmatched`,
  kind: 'idr-payment-unmatched',
  legs: transfer(gateway, unmatched, units),
});

/** The payment pays a purchase after all. What is beyond its price a vendor keeps, so the gateway has it no more. */
export const givenOperation = (
  { payment_id, applied_units }: UnmatchedPayment,
  { amount_idr, fee_amount }: Mint,
  { unmatched, owed, fees, gateway }: HouseAccounts,
  { ownFee }: Fees,
): Operation => {
  const fee = ownFee(fee_amount);
  const legs: Leg[] = [
    { account: unmatched, amount: -applied_units },
    { account: owed, amount: amount_idr },
    { account: fees, amount: fee },
    { account: gateway, amount: applied_units - amount_idr - fee },
  ];
  const key = `idr-payment:${payment_id}:given`;
  return { key, kind: 'idr-payment-given', legs: legs.filter(({ amount }) => amount !== 0n) };
};

/** What was owed of it is in the payer's wallet. */
export const straySentBackOperation = (
  { payment_id, sent_units }: UnmatchedPayment,
  wallet: number,
  { unmatched }: HouseAccounts,
): Operation => ({
  key: `idr-payment:${payment_id}:sent-back`,
  kind: 'idr-payment-refund',
  legs: transfer(unmatched, wallet, sent_units),
});

/** The gateway, or others, have given it back: the gateway holds less for us then, or they have paid for us. */
export const straySettledOperation = (
  { payment_id, sent_units }: UnmatchedPayment,
  source: 'GATEWAY' | 'ELSEWHERE',
  { unmatched, gateway, elsewhere }: HouseAccounts,
): Operation => ({
  key: `idr-payment:${payment_id}:settled`,
  kind: 'idr-payment-settled',
  legs: transfer(unmatched, source === 'GATEWAY' ? gateway : elsewhere, sent_units),
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
  accounts: HouseAccounts,
  issuer: Fees,
): Operation => ({
  key: `${redeem.reference_id}:paid-out`,
  kind: 'idr-offramp-paid-out',
  legs: paidOutLegs(redeem, accounts, issuer),
});

const paidOutLegs = (
  { amount_idr: amount, fee_amount }: Redeem,
  { gateway, redemptions, fees }: HouseAccounts,
  { ownFee }: Fees,
): Leg[] => withFee({ from: redemptions, to: gateway, fees, amount, fee: ownFee(fee_amount) });

/** The bank has sent it back to the gateway: all of it is to be paid out again, or refunded. */
export const returnedOperation = (
  redeem: Redeem,
  accounts: HouseAccounts,
  issuer: Fees,
): Operation => ({
  key: `${redeem.reference_id}:returned`,
  kind: 'idr-offramp-returned',
  legs: paidOutLegs(redeem, accounts, issuer).map(({ account, amount }) => ({
    account,
    amount: -amount,
  })),
});

const SOURCES = {
  OWED: 'owed',
  RESERVE: 'reserve',
  REDEMPTIONS: 'redemptions',
  FEES: 'fees',
} as const;

/** To the user's wallet, less the refund's fee. */
export const refundOperation = (
  refund: IdrTokenRefund,
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
