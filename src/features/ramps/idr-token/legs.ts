import { type House, houseAccountsOf, reversedLegs } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { type Leg, type Operation, transfer, withFee } from '#kernel/ledger/ledger.ts';
import type { TokenIssuer } from './issuer/issuer.ts';
import type { Mint } from './purchase/store.ts';
import type { Redeem } from './redemption/store.ts';
import type { IdrTokenRefund } from './refund/store.ts';
import type { UnmatchedPayment } from './unmatched/store.ts';

/** The platform's own accounts in IDR; all but `fees` are below zero by what others hold for us. */
const HOUSE = {
  /** Held for us by the gateway. */
  gateway: ['gateway', 'IDR'],
  /** Paid, and not minted yet. */
  owed: ['idr-token-owed', 'IDR'],
  /** Behind the tokens on chain. */
  reserve: ['idr-token-reserve', 'IDR'],
  /** Burnt, and not paid out yet. */
  redemptions: ['idr-token-redemptions', 'IDR'],
  fees: ['idr-token-fees', 'IDR'],
  /** Payments that pay no purchase. */
  unmatched: ['idr-token-unmatched', 'IDR'],
  /** Refunded by others than the platform. */
  elsewhere: ['idr-token-elsewhere', 'IDR'],
} as const;

export type HouseAccounts = House<keyof typeof HOUSE>;

export const houseAccounts = (db: Db): Promise<HouseAccounts> => houseAccountsOf(db, HOUSE);

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

/** A payment pays no purchase: its money is at the gateway, and owed to its payer. */
export const unmatchedOperation = (
  { payment_id, units }: UnmatchedPayment,
  { gateway, unmatched }: HouseAccounts,
): Operation => ({
  key: `idr-payment:${payment_id}:unmatched`,
  kind: 'idr-payment-unmatched',
  legs: transfer(gateway, unmatched, units),
});

/** The operator assigns the payment to a purchase. A vendor keeps the surplus, so that it leaves the gateway. */
export const assignedPaymentOperation = (
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

/** The owed part is in the payer's wallet. */
export const straySentBackOperation = (
  { payment_id, sent_units }: UnmatchedPayment,
  wallet: number,
  { unmatched }: HouseAccounts,
): Operation => ({
  key: `idr-payment:${payment_id}:sent-back`,
  kind: 'idr-payment-refund',
  legs: transfer(unmatched, wallet, sent_units),
});

/** The gateway, or others, have refunded it: the gateway holds less for us then, or they have paid for us. */
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

/** The bank has returned it to the gateway: all of it is to be paid again, or refunded. */
export const returnedOperation = (
  redeem: Redeem,
  accounts: HouseAccounts,
  issuer: Fees,
): Operation => ({
  key: `${redeem.reference_id}:returned`,
  kind: 'idr-offramp-returned',
  legs: reversedLegs(paidOutLegs(redeem, accounts, issuer)),
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
    // The platform charges itself no fee.
    legs:
      refund.source === 'FEES'
        ? transfer(from, wallet, net_refund)
        : withFee({ from, to: wallet, fees: accounts.fees, amount, fee }),
  };
};
