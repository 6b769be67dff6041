import { type Static, Type } from 'typebox';
import type { SeenMove, SeenTransaction } from '../network-view.ts';
import { exactAmountOf, USDC_CODE } from './currency.ts';

const XRP_DIGITS = 6;

const IssuedValue = Type.Object({
  currency: Type.String(),
  issuer: Type.String(),
  value: Type.String(),
});
const LedgerAmount = Type.Union([Type.String(), IssuedValue]);

/** What `tx` answers, as far as people are shown it. */
export const SeenTxResult = Type.Object({
  ledger_index: Type.Optional(Type.Integer()),
  validated: Type.Optional(Type.Boolean()),
  tx_json: Type.Object({
    Account: Type.String(),
    TransactionType: Type.String(),
    Destination: Type.Optional(Type.String()),
    Fee: Type.String(),
    DeliverMax: Type.Optional(LedgerAmount),
  }),
  meta: Type.Optional(
    Type.Object({
      TransactionResult: Type.String(),
      delivered_amount: Type.Optional(LedgerAmount),
    }),
  ),
});

/** A validated ledger is final: what it has as failed has paid its fee and moved nothing. */
export function seenXrplTransaction(
  { tx_json, meta, validated = false, ledger_index }: Static<typeof SeenTxResult>,
  issuer: string,
): SeenTransaction {
  const { Account: from, Destination: to, TransactionType, Fee, DeliverMax } = tx_json;
  const isPayment = TransactionType === 'Payment' && to !== undefined;
  const isFailed = validated && meta?.TransactionResult !== 'tesSUCCESS';
  const amount = validated ? meta?.delivered_amount : DeliverMax;
  const ended = isFailed ? 'FAILED' : 'FINAL';
  const moves: SeenMove[] =
    isPayment && !isFailed && amount !== undefined
      ? [{ from: partyOf(from, issuer), to: partyOf(to, issuer), ...moved(amount, issuer) }]
      : [];
  return {
    status: validated ? ended : 'PENDING',
    block: validated ? (ledger_index ?? null) : null,
    confirmations: validated ? 1 : 0,
    fee: validated ? BigInt(Fee) : null,
    moves,
    kind: isPayment ? 'transfer' : wordsOf(TransactionType),
  };
}

/** A currency begins and ends at its issuer: for people that is a mint or a burn, of our USDC only. */
const partyOf = (address: string, issuer: string): string | null =>
  address === issuer ? null : address;

function moved(
  amount: Static<typeof LedgerAmount>,
  issuer: string,
): Pick<SeenMove, 'asset' | 'units' | 'digits'> {
  // Rippled says `unavailable` of payments before 2014.
  if (typeof amount === 'string')
    return { asset: 'XRP', units: BigInt(/^\d+$/.test(amount) ? amount : 0), digits: XRP_DIGITS };
  const isOurs = amount.currency === USDC_CODE && amount.issuer === issuer;
  const asset = isOurs ? 'USDC' : `${amount.currency}.${amount.issuer}`;
  return { asset, ...exactAmountOf(amount.value) };
}

/** `TrustSet` as `trust set`. */
const wordsOf = (type: string): string => type.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
