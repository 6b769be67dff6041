import { Type } from 'typebox';
import { packedReference } from '#features/ramps/ramp/ramp.ts';
import { named } from '#kernel/http/declare/named.ts';
import { Id, TextOrNull, Timestamp } from '#kernel/http/declare/schema.ts';
import { type Asset, format } from '#kernel/money/money.ts';
import type { CardanoStep, HistoryRow } from './step-store.ts';
import type { CardanoOrder } from './store.ts';

/** The contract's bodies: amounts are exact decimal text. */

const ChainTx = named('CardanoTransfer', { txHash: Type.String(), amount: Type.String() });
const SentTx = named('CardanoPayout', { ...ChainTx.properties, to_address: Type.String() });
const leg = {
  transaction_id: Type.String(),
  amount: Type.String(),
  status: Type.String(),
};
const provider = { provider: Type.String() };
const charged = {
  currency_from: Type.String(),
  network_fee: Type.Optional(
    Type.String({ description: 'In currency_from, on top of the amount; where there is one' }),
  ),
};
const BankIn = named('CardanoBankIn', { ...leg, ...charged, ...provider });
const BankOut = named('CardanoBankOut', { ...leg, currency_to: Type.String(), ...provider });
const WalletIn = named('CardanoWalletIn', { ...leg, currency_to: Type.String(), ...provider });
const WalletOut = named('CardanoWalletOut', {
  ...leg,
  ...charged,
  type: Type.Literal('WITHDRAW'),
});
const one = { reference_id: Type.String() };
const two = { reference_id_in: Type.String(), reference_id_out: Type.String() };
const vban = { vban: Type.String() };
const chain = { mintTx: ChainTx, burnTx: ChainTx };

export const Bodies = {
  cardToWallet: Type.Object({
    ...two,
    ...vban,
    bankTxIn: BankIn,
    ...chain,
    walletTx: WalletIn,
  }),
  walletToBank: Type.Object({ ...one, walletTx: WalletOut, ...chain, bankTx: BankOut }),
  cardToBank: Type.Object({ ...two, ...vban, bankTxIn: BankIn, ...chain, bankTxOut: BankOut }),
  walletToWallet: Type.Object({
    ...one,
    walletTxOut: WalletOut,
    ...chain,
    walletTxIn: Type.Object({
      ...leg,
      currency_to: Type.String(),
      type: Type.Literal('TOPUP'),
    }),
  }),
  cardToUser: Type.Object({
    ...one,
    ...vban,
    bankTxIn: BankIn,
    mintTx: SentTx,
  }),
  walletToUser: Type.Object({
    ...one,
    walletTx: WalletOut,
    mintTx: SentTx,
  }),
};

const SETTLED = 'SUCCESS_RECEIVED';

const partOf = ({ order_id }: CardanoOrder, part: string): string => `${part}-${order_id}`;
/** What the gateway knows the payout of an order by; and the bank host, whose references are shorter. */
export const payoutReferenceOf = (order: Pick<CardanoOrder, 'order_id' | 'currency_to'>): string =>
  order.currency_to === 'IDR'
    ? `CARDANO-OUT-${order.order_id}`
    : packedReference(HOST_PREFIX, order.order_id);
export const HOST_PREFIX = 'CO';

/** Of those that answer one reference: the contract has two where a card pays for fiat. */
export const reference = (order: CardanoOrder): string => partOf(order, 'CARDANO');
const text = (asset: Asset, units: bigint | null): string => format({ asset, units: units ?? 0n });

export const references = (order: CardanoOrder) => ({
  reference_id_in: partOf(order, 'CARDANO-IN'),
  reference_id_out: partOf(order, 'CARDANO-OUT'),
});

/**
 * The virtual account in which a user's money of a currency comes in: 88, the place of the currency, the
 * user's number, and two digits (ISO 7064, MOD 97-10) that tell a mistyped one.
 */
function vbanOf({ user_id, currency_from }: Pick<CardanoOrder, 'user_id' | 'currency_from'>) {
  const digits = `88${VBAN_CURRENCIES.indexOf(currency_from)}${String(user_id).padStart(10, '0')}`;
  const check = 98n - ((BigInt(digits) * 100n) % 97n);
  return `${digits}${String(check).padStart(2, '0')}`;
}
/** Never in another order, and new ones at the end. */
const VBAN_CURRENCIES = ['USD', 'SGD', 'AUD', 'VND', 'INR', 'IDR'];

const usdcOf = ({ usdc }: CardanoOrder): string => text('USDC', usdc);
const mintOf = (order: CardanoOrder) => ({ txHash: order.mint_hash ?? '', amount: usdcOf(order) });
const burnOf = (order: CardanoOrder) => ({ txHash: order.burn_hash ?? '', amount: usdcOf(order) });
const onUser = (order: CardanoOrder) => ({ ...mintOf(order), to_address: order.to_address ?? '' });

const paid = (order: CardanoOrder) => ({
  amount: text(order.currency_from, order.fiat_amount),
  currency_from: order.currency_from,
  status: SETTLED,
  ...(order.network_fee > 0n && { network_fee: text(order.currency_from, order.network_fee) }),
});
const got = (order: CardanoOrder) => {
  const currency_to = order.currency_to ?? 'USD';
  return { amount: text(currency_to, order.payout), currency_to, status: SETTLED };
};
const bankIn = (order: CardanoOrder) => ({
  transaction_id: order.card_reference ?? '',
  ...paid(order),
  provider: 'CARDS',
});
const bankOut = (order: CardanoOrder) => ({
  transaction_id: order.simulated ? references(order).reference_id_out : payoutReferenceOf(order),
  ...got(order),
  status: order.status === 'PAYING' ? 'PENDING' : SETTLED,
  provider: 'BANK',
});
const walletOut = (order: CardanoOrder) => ({
  transaction_id: partOf(order, 'WALLET-OUT'),
  ...paid(order),
  type: 'WITHDRAW' as const,
});
const walletIn = (order: CardanoOrder) => ({
  transaction_id: partOf(order, 'WALLET-IN'),
  ...got(order),
});
const onChain = (order: CardanoOrder) => ({ mintTx: mintOf(order), burnTx: burnOf(order) });
const inBank = (order: CardanoOrder) => ({ vban: vbanOf(order), bankTxIn: bankIn(order) });

export const cardanoBodyOf = {
  cardToWallet: (order: CardanoOrder) => ({
    ...references(order),
    ...inBank(order),
    ...onChain(order),
    walletTx: { ...walletIn(order), provider: 'PLATFORM' },
  }),
  walletToBank: (order: CardanoOrder) => ({
    reference_id: reference(order),
    walletTx: walletOut(order),
    ...onChain(order),
    bankTx: bankOut(order),
  }),
  cardToBank: (order: CardanoOrder) => ({
    ...references(order),
    ...inBank(order),
    ...onChain(order),
    bankTxOut: bankOut(order),
  }),
  walletToWallet: (order: CardanoOrder) => ({
    reference_id: reference(order),
    walletTxOut: walletOut(order),
    ...onChain(order),
    walletTxIn: { ...walletIn(order), type: 'TOPUP' as const },
  }),
  cardToUser: (order: CardanoOrder) => ({
    reference_id: reference(order),
    ...inBank(order),
    mintTx: onUser(order),
  }),
  walletToUser: (order: CardanoOrder) => ({
    reference_id: reference(order),
    walletTx: walletOut(order),
    mintTx: onUser(order),
  }),
};

/** The contract's history record. */
export const HistoryRecord = named('CardanoTransaction', {
  source: Type.String(),
  id: Id,
  user_id: Id,
  tx_type: Type.String(),
  tx_flow: Type.String(),
  tx_hash: TextOrNull,
  from_address: TextOrNull,
  to_address: TextOrNull,
  amount: Type.String(),
  fiat_amount: TextOrNull,
  currency_from: TextOrNull,
  currency_to: TextOrNull,
  fx_rate: TextOrNull,
  details: Type.Object({
    order_id: Type.String(),
    rates_source: Type.String(),
    rates_at: Timestamp,
    wallet_id: Type.Union([Id, Type.Null()]),
    network_fee: Type.String({ description: 'In currency_from, charged on top of the amount' }),
  }),
  status: Type.String(),
  created_at: Timestamp,
  updated_at: Timestamp,
  reference_id: Type.String(),
  platform_fee: Type.String(),
  partner_fee: Type.String(),
  bank_name: TextOrNull,
  provider: Type.String(),
});

interface Kind {
  readonly type: string;
  readonly flow: 'IN' | 'OUT';
  readonly provider: 'CARDANO' | 'PLATFORM' | 'CARDS' | 'BANK';
  /** Which of the two currencies it is in; that of the chain is neither. */
  readonly side: 'from' | 'to' | 'chain';
}

const KINDS: Readonly<Record<CardanoStep, Kind>> = {
  CARD_IN: { type: 'TOPUP', flow: 'IN', provider: 'CARDS', side: 'from' },
  WALLET_OUT: { type: 'WITHDRAW', flow: 'OUT', provider: 'PLATFORM', side: 'from' },
  MINT: { type: 'MINT', flow: 'IN', provider: 'CARDANO', side: 'chain' },
  BURN: { type: 'BURN', flow: 'OUT', provider: 'CARDANO', side: 'chain' },
  WALLET_IN: { type: 'TOPUP', flow: 'IN', provider: 'PLATFORM', side: 'to' },
  BANK_OUT: { type: 'WITHDRAW', flow: 'OUT', provider: 'BANK', side: 'to' },
  RETURN: { type: 'REFUND', flow: 'IN', provider: 'PLATFORM', side: 'from' },
};

/** One step, as a line of the history. */
export function recordOf(row: HistoryRow, treasury: string) {
  const { order, step, step_id, user_id, tx_hash, status, created_at, updated_at } = row;
  const kind = KINDS[step];
  const { rates_source, rates_at, order_id, wallet_from_id, wallet_to_id } = order;
  const isTo = kind.side === 'to';
  return {
    source: kind.provider === 'CARDANO' ? 'CARDANO' : 'WALLET',
    id: step_id,
    user_id,
    tx_type: kind.type,
    tx_flow: kind.flow,
    tx_hash,
    from_address: step === 'BURN' ? treasury : null,
    to_address: step === 'MINT' ? (order.to_address ?? treasury) : null,
    amount: usdcOf(order),
    ...fiatOf(order, kind, step),
    details: {
      order_id,
      rates_source,
      rates_at,
      wallet_id: walletOf(kind, isTo ? wallet_to_id : wallet_from_id),
      network_fee: text(order.currency_from, order.network_fee),
    },
    status,
    created_at,
    updated_at,
    reference_id: answeredAs(order, isTo),
    partner_fee: '0',
    bank_name: step === 'BANK_OUT' ? order.bank_code : null,
    provider: kind.provider,
  };
}

const walletOf = ({ provider: by }: Kind, wallet_id: number | null): number | null =>
  by === 'PLATFORM' ? wallet_id : null;

/** The reference that the operation itself has answered for that side. */
function answeredAs(order: CardanoOrder, isTo: boolean): string {
  if (order.source === 'WALLET' || order.target === 'ADDRESS') return reference(order);
  const { reference_id_in, reference_id_out } = references(order);
  return isTo ? reference_id_out : reference_id_in;
}

function fiatOf(order: CardanoOrder, { side }: Kind, step: CardanoStep) {
  const { currency_from, currency_to, fiat_amount, payout, onramp_fee, offramp_fee } = order;
  const currencies = { currency_from, currency_to };
  if (side === 'chain')
    return { ...currencies, fiat_amount: null, fx_rate: null, platform_fee: '0' };
  const asset = side === 'from' ? currency_from : (currency_to ?? currency_from);
  const units = side === 'from' ? fiat_amount : payout;
  // What is given back is all that was paid, and its fee with it.
  if (step === 'RETURN') return { ...currencies, ...paidBack(order) };
  const fee = side === 'from' ? onramp_fee : offramp_fee;
  return {
    ...currencies,
    fiat_amount: text(asset, units),
    fx_rate: side === 'from' ? order.rate_in : order.rate_out,
    platform_fee: text(asset, fee),
  };
}

const paidBack = ({ currency_from, fiat_amount, rate_in: fx_rate }: CardanoOrder) => ({
  fiat_amount: text(currency_from, fiat_amount),
  fx_rate,
  platform_fee: '0',
});
