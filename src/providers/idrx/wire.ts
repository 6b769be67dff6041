import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Asset, format } from '#kernel/money/money.ts';
import type { BookLine } from '#kernel/reconciliation/rail.ts';
import { meaningOf } from '../code-table.ts';
import type { GatewayNotification, GatewayPayment, Payout } from '../gateway/port.ts';
import type { GatewayFailure } from '../gateway/read-reply.ts';
import { IDRX_MINTS, IDRX_PAYMENTS, IDRX_REDEMPTIONS } from './idrx-codes.ts';
import type { VendorMint } from './port.ts';

const Text = Type.String({ maxLength: 300 });
const Name = Type.String({ minLength: 1, maxLength: 100 });
const Decimal = Type.String({ pattern: '^\\d{1,18}(\\.\\d{1,2})?$' });
const Hash = Type.String({ pattern: '^0x[0-9a-fA-F]{64}$' });
const Address = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });
const Url = Type.String({ pattern: '^https?://', maxLength: 2000 });
const Moment = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT', maxLength: 40 });
const absent = <S extends Parameters<typeof Type.Optional>[0]>(schema: S) =>
  Type.Optional(Type.Union([schema, Type.Null()]));

export const MintRequest = Type.Object({
  toBeMinted: Decimal,
  destinationWalletAddress: Address,
  networkChainId: Type.String({ pattern: '^\\d{1,12}$' }),
  returnUrl: Url,
  requestType: Type.Literal('idrx'),
  /** Minutes. */
  expiryPeriod: Type.Integer({ minimum: 1 }),
  /** Free text: our reference. */
  productDetails: Type.String({ maxLength: 255 }),
});
export const MintAnswer = Type.Object({
  data: Type.Object({ merchantOrderId: Name, paymentUrl: Url, amount: Decimal }),
});

export const RedeemRequest = Type.Object({
  txHash: Hash,
  networkChainId: Type.String({ pattern: '^\\d{1,12}$' }),
  amountTransfer: Decimal,
  bankAccount: Name,
  bankCode: Name,
  bankName: Name,
  bankAccountName: Text,
  walletAddress: Address,
  /** Free text: our reference. */
  notes: Type.String({ maxLength: 255 }),
});

export const MintRecord = Type.Object({
  merchantOrderId: Name,
  paymentStatus: Name,
  userMintStatus: Name,
  toBeMinted: Decimal,
  amount: absent(Decimal),
  destinationWalletAddress: Type.String({ maxLength: 100 }),
  txHash: absent(Type.String({ maxLength: 100 })),
  paymentUrl: absent(Url),
  productDetails: absent(Text),
  createdAt: Moment,
  updatedAt: absent(Moment),
});
export type MintRecord = Static<typeof MintRecord>;

export const RedeemRecord = Type.Object({
  id: Type.Union([Type.Integer(), Name]),
  txHash: Hash,
  amount: Decimal,
  bankAccountNumber: Name,
  burnStatus: Name,
  notes: absent(Text),
  createdAt: Moment,
  updatedAt: absent(Moment),
});
export type RedeemRecord = Static<typeof RedeemRecord>;
export const RedeemAnswer = Type.Object({ data: RedeemRecord });

export const BankList = Type.Object({
  data: Type.Array(Type.Object({ bankCode: Name, bankName: Name })),
});

const MintNotification = Type.Object({
  merchantOrderId: Name,
  paymentStatus: Name,
  userMintStatus: Name,
  productDetails: absent(Text),
});
const RedeemNotification = Type.Object({
  id: Type.Union([Type.Integer(), Name]),
  burnStatus: Name,
  notes: absent(Text),
});
const WireFailure = Type.Object({ message: Type.String() });

/** Units of IDR and IDRT as they write amounts: no cents where there are none. */
export const amountOf = (asset: Asset, units: bigint): string =>
  format({ asset, units }).replace(/\.00$/, '');

export function idrxUnitsOf(amount: string): bigint {
  const [whole = '0', cents = ''] = amount.split('.');
  return BigInt(whole + cents.padEnd(2, '0'));
}

/** Their own fee for a bank transfer, by the burnt amount: the published table. */
const redeemFee = (gross: bigint): bigint => (gross <= 25_000_000_000n ? 500_000n : 3_500_000n);

/** Their payment and mint are one record. */
export interface IdrxPayment extends GatewayPayment {
  readonly mint?: VendorMint;
}

/** A mint in our words; undefined where we do not understand it. */
export function idrxPaymentOf(record: MintRecord, reference: string): IdrxPayment | undefined {
  const { merchantOrderId: id, userMintStatus, paymentUrl, txHash } = record;
  const status = meaningOf(IDRX_PAYMENTS, record.paymentStatus);
  if (status === undefined) return undefined;
  const minting = meaningOf(IDRX_MINTS, userMintStatus);
  const isMinted = minting === 'minted';
  if (isMinted && !Value.Check(Hash, txHash)) return undefined;
  return {
    id,
    reference,
    status,
    units: idrxUnitsOf(record.amount ?? record.toBeMinted),
    paymentUrl: paymentUrl ?? '',
    ...(isMinted && txHash ? { mint: { hash: txHash } } : {}),
    ...(minting === 'failed' ? { mint: { failure: userMintStatus } } : {}),
  };
}

/** A redemption in our words: the bank gets what was burnt, less their fee. */
export function idrxPayoutOf(record: RedeemRecord, reference: string): Payout | undefined {
  const status = meaningOf(IDRX_REDEMPTIONS, record.burnStatus);
  const gross = idrxUnitsOf(record.amount);
  if (status === undefined || gross <= redeemFee(gross)) return undefined;
  return {
    id: String(record.id),
    reference,
    status,
    units: gross - redeemFee(gross),
    ...(status === 'FAILED' ? { failureCode: record.burnStatus } : {}),
  };
}

/** A line of their statement; undefined where no money has moved. */
export function mintLine(record: MintRecord): BookLine | undefined {
  if (record.paymentStatus !== 'PAID') return undefined;
  const { merchantOrderId, productDetails, amount, toBeMinted, updatedAt, createdAt } = record;
  return {
    line: `mint-${merchantOrderId}`,
    reference: productDetails || merchantOrderId,
    kind: 'payment',
    asset: 'IDR',
    units: idrxUnitsOf(amount ?? toBeMinted),
    at: new Date(updatedAt ?? createdAt),
  };
}

export function redeemLine(record: RedeemRecord): BookLine | undefined {
  if (record.burnStatus !== 'PROCESSED') return undefined;
  const gross = idrxUnitsOf(record.amount);
  return {
    line: `redeem-${record.id}`,
    reference: record.notes || String(record.id),
    kind: 'payout',
    asset: 'IDR',
    units: redeemFee(gross) - gross,
    at: new Date(record.updatedAt ?? record.createdAt),
  };
}

export function mintNotification(
  body: unknown,
): GatewayNotification<GatewayPayment['status']> | undefined {
  if (!Value.Check(MintNotification, body)) return undefined;
  const { merchantOrderId: id, paymentStatus, userMintStatus, productDetails } = body;
  const status = meaningOf(IDRX_PAYMENTS, paymentStatus);
  if (status === undefined) return undefined;
  const event = `${id}:${paymentStatus}:${userMintStatus}`;
  return { event, reference: productDetails || id, status };
}

export function redeemNotification(
  body: unknown,
): GatewayNotification<Payout['status']> | undefined {
  if (!Value.Check(RedeemNotification, body)) return undefined;
  const { id, burnStatus, notes } = body;
  const status = meaningOf(IDRX_REDEMPTIONS, burnStatus);
  if (status === undefined) return undefined;
  return { event: `${id}:${burnStatus}`, reference: notes || String(id), status };
}

/** The body of a refusal: a message alone. */
export const idrxFailure = (json: unknown): GatewayFailure =>
  Value.Check(WireFailure, json) ? { message: json.message } : {};
