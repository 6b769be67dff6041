import { type Static, Type } from 'typebox';
import { namesShown } from '#kernel/http/declare/caller-names.ts';
import { named } from '#kernel/http/declare/named.ts';
import { objectIdField } from '#kernel/http/declare/object-id-field.ts';
import {
  explained,
  Id,
  Nullable,
  oneOfWords,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { type Substatus, shownState, stateFields } from '#kernel/http/declare/state-fields.ts';
import { MoneyText } from '#kernel/money/amount-fields.ts';
import { format } from '#kernel/money/money.ts';
import { objectId } from '#kernel/object-id.ts';
import { type TransferPart, WALLET_TRANSFER_STATUSES, type WalletTransfer } from './store.ts';

/** Of whom reads it. */
export const TRANSFER_SIDES = ['sent', 'received'] as const;

/** Who pays or is paid. */
export const TransferParty = named('TransferParty', {
  display_name: explained(Type.String(), 'With its first letter, or the ends of an address'),
  wallet_id: explained(Nullable(Id), 'One’s own wallet, or one that the sender has named'),
});

const Part = named('WalletTransferPart', {
  to: TransferParty,
  amount: MoneyText,
  note: TextOrNull,
});

const Received = named('TransferReceived', { amount: MoneyText, currency: Type.String() });

/** A transfer as either side sees it. */
export const ShownTransfer = named('WalletTransfer', {
  transfer_id: objectIdField('trf'),
  side: explained(oneOfWords(TRANSFER_SIDES), 'Of the reader'),
  from: TransferParty,
  to: explained(Nullable(TransferParty), 'Null of a split, whose parts say it'),
  amount: explained(MoneyText, 'What its sender pays beside the fee; of a receiver, their part'),
  currency: Type.String(),
  received: Received,
  fee: explained(MoneyText, 'What the sender is charged on top; nothing is charged to a receiver'),
  note: TextOrNull,
  quote_id: explained(
    Nullable(objectIdField('qte')),
    'By which another currency arrives; for its sender',
  ),
  parts: explained(Type.Array(Part), 'Of a split, for its sender'),
  claim_expires_at: explained(
    Nullable(Timestamp),
    'Until when a person without an account may claim it',
  ),
  ...namesShown,
  ...stateFields(WALLET_TRANSFER_STATUSES),
});

/** `a•••`: enough for those who know the person. */
export const maskedName = (name: string): string => `${[...name][0] ?? ''}•••`;

/** `a•••@example.com`, `+62•••34`. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0
    ? `${address.slice(0, 3)}•••${address.slice(-2)}`
    : `${maskedName(address)}${address.slice(at)}`;
}

/** What it waits for. */
function waitsFor({ status, claim_digest, held_until }: WalletTransfer): Substatus | undefined {
  if (status === 'PENDING_APPROVAL') return 'waiting_for_approval';
  if (status !== 'PENDING') return undefined;
  if (claim_digest !== null) return 'waiting_for_person';
  return held_until === null ? undefined : 'held_by_policy';
}

const shownReceiver = (
  { claim_address }: WalletTransfer,
  { to_name, to_wallet_id, named_as }: TransferPart,
  isOwn: boolean,
) => ({
  display_name: to_name === null ? maskedAddress(claim_address ?? '') : maskedName(to_name),
  wallet_id: isOwn || named_as === 'wallet' ? to_wallet_id : null,
});

/** As its sender sees it. */
export function shownTransfer(transfer: WalletTransfer): Static<typeof ShownTransfer> {
  const { currency, parts, is_split } = transfer;
  const money = (units: bigint) => format({ asset: currency, units });
  const [first] = parts;
  return {
    ...shared(transfer),
    side: 'sent',
    from: { display_name: maskedName(transfer.from_name), wallet_id: transfer.from_wallet_id },
    to: is_split || !first ? null : shownReceiver(transfer, first, false),
    amount: money(transfer.amount),
    received: receivedOf(transfer, transfer.amount),
    fee: money(transfer.fee),
    note: transfer.note,
    quote_id: transfer.quote_id === null ? null : objectId('qte', transfer.quote_id),
    parts: is_split
      ? parts.map((part) => ({
          to: shownReceiver(transfer, part, false),
          amount: money(part.amount),
          note: part.note,
        }))
      : [],
    claim_expires_at: transfer.claim_expires_at,
  };
}

/** What arrives of what was paid: by a quote something else. */
const receivedOf = (
  { currency, received_currency, received_amount }: WalletTransfer,
  paid: bigint,
): Static<typeof Received> => ({
  amount: format({ asset: received_currency ?? currency, units: received_amount ?? paid }),
  currency: received_currency ?? currency,
});

const shared = (transfer: WalletTransfer) => ({
  transfer_id: transfer.object_id,
  currency: transfer.currency,
  reference: transfer.names.reference,
  metadata: transfer.names.metadata,
  ...shownState(transfer, { waits: waitsFor(transfer) }),
});

/** As a receiver sees it: their part alone. */
function shownToReceiver(
  transfer: WalletTransfer,
  part: TransferPart,
): Static<typeof ShownTransfer> {
  const { currency } = transfer;
  const amount = format({ asset: currency, units: part.amount });
  const received = receivedOf(transfer, part.amount);
  return {
    ...shared(transfer),
    side: 'received',
    from: { display_name: maskedName(transfer.from_name), wallet_id: null },
    to: shownReceiver(transfer, part, true),
    amount: transfer.quote_id === null ? amount : received.amount,
    currency: received.currency,
    received,
    fee: format({ asset: currency, units: 0n }),
    note: part.note,
    quote_id: null,
    parts: [],
    claim_expires_at: null,
  };
}

/** As that user sees it; admins see what the sender sees. */
export function shownTransferTo(
  transfer: WalletTransfer,
  user_id: number,
): Static<typeof ShownTransfer> {
  const part = transfer.parts.find(({ to_user_id }) => to_user_id === user_id);
  return transfer.user_id === user_id || !part
    ? shownTransfer(transfer)
    : shownToReceiver(transfer, part);
}

/** The amount of a transfer for people. */
export const moneyText = ({
  currency,
  amount,
}: Pick<WalletTransfer, 'currency' | 'amount'>): string =>
  `${format({ asset: currency, units: amount })} ${currency}`;
