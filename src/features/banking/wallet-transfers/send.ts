import { feeOf } from '#features/fiat/fees/fees.ts';
import {
  type FiatWallet,
  fiatWalletOf,
  openWallet,
} from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { type QuotedTrade, quotedFee, quotedFiat, useQuote } from '#features/fiat/fx/fx.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { postPayment } from '#kernel/ledger/post-payment.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { namesGiven } from '#kernel/object-names/object-names.ts';
import type { PolicyDecision } from '#kernel/policies/decide.ts';
import { openClaim } from './claim-link.ts';
import type { TransferDeps } from './deps.ts';
import { emitTransfer } from './events.ts';
import { countAddress } from './new-addresses.ts';
import type { TransferOrder } from './order.ts';
import { transferPolicy } from './policy.ts';
import { transferHolding, transferPayment } from './postings.ts';
import { requireReceiver } from './receivers.ts';
import {
  insertWalletTransfer,
  type NewPart,
  type TransferRow,
  type WalletTransfer,
  type WalletTransferStatus,
  withParts,
} from './store.ts';

/** A part with what is charged for it. */
type ChargedPart = NewPart & { readonly terms: unknown };

/**
 * Sends money in the transaction of the caller, whose last statement is the posting. Throws SAME_WALLET,
 * CURRENCY_MISMATCH, RECIPIENT_UNAVAILABLE, LIMIT_EXCEEDED, INSUFFICIENT_BALANCE, WALLET_FROZEN, CONFLICT where the same
 * request is under way, and what policies refuse.
 */
export async function sendWithin(
  deps: TransferDeps,
  tx: Db,
  order: TransferOrder,
): Promise<WalletTransfer> {
  const transfer_id = order.transfer_id ?? newObjectUuid(deps.clock.ms());
  const object_id = objectId('trf', transfer_id);
  const trade = await tradeOf(tx, order, object_id);
  const currency = trade ? quotedFiat(trade.bought) : order.from.currency;
  for (const { to } of order.parts) requireReceiver(to, order.from, currency);
  const address = await claimableOf(deps, tx, order);
  const parts = await chargedParts(tx, order, trade);
  const amount = sumOf(parts, ({ amount }) => amount);
  const decided = await deps.policies.decide(
    tx,
    await transferPolicy(tx, order, { object_id, amount }),
  );
  const status = firstStatus(decided, address !== undefined);
  const receivers = status === 'COMPLETED' ? await openedWallets(tx, order, currency) : [];
  const { caller, operation, from, isSplit, note, claimS } = order;
  const row = await insertWalletTransfer(
    tx,
    {
      transfer_id,
      object_id,
      operation,
      client_id: caller.client_id,
      user_id: caller.user_id,
      from_wallet_id: from.wallet_id,
      account_id: from.account_id,
      currency: from.currency,
      amount,
      fee: sumOf(parts, ({ fee }) => fee),
      fee_terms: parts.map(({ terms }) => terms) as never,
      is_split: isSplit,
      note,
      claim_channel: address?.named_as ?? null,
      claim_address: address?.address ?? null,
      claim_s: claimS,
      held_until: decided.held_until?.toISOString() ?? null,
      status,
      quote_id: order.quote_id ?? null,
      received_currency: trade ? currency : null,
      received_amount: trade?.bought.units ?? null,
    },
    parts.map(({ terms: _, ...part }, n) => ({
      ...part,
      to_wallet_id: receivers[n]?.wallet_id ?? part.to_wallet_id,
    })),
  );
  if (!row) throw fail('CONFLICT', 'The request is under way');
  return book(deps, tx, order, { row, receivers, trade });
}

interface Booked {
  readonly row: TransferRow;
  /** The wallets that are paid at once. */
  readonly receivers: readonly FiatWallet[];
  readonly trade: QuotedTrade | undefined;
}

/** A new one is announced, and its money is paid or held. */
async function book(
  deps: TransferDeps,
  tx: Db,
  { caller, request }: TransferOrder,
  { row, receivers, trade }: Booked,
): Promise<WalletTransfer> {
  const [written] = await withParts(tx, [row]);
  if (!written) throw new Error('A transfer was not written');
  const named = { ...written, names: namesGiven('wallet_transfer') };
  const isClaimable =
    row.status === 'PENDING' && row.claim_address !== null && row.held_until === null;
  const transfer = isClaimable
    ? await openClaim(deps, tx, requesterOf(caller, request), named)
    : named;
  emitTransfer(tx, transfer);
  const paid = receivers.map(({ account_id }, n) => ({
    account: account_id,
    amount: transfer.parts[n]?.amount ?? 0n,
  }));
  const operation =
    row.status === 'COMPLETED'
      ? await transferPayment(tx, transfer, { receivers: paid, isHeld: false, trade })
      : transferHolding(transfer);
  const { account_id, currency, amount, fee } = row;
  const needed = { asset: currency, units: amount + fee };
  await postPayment(tx, operation, { account_id, needed });
  return transfer;
}

function firstStatus(
  { approval_id, held_until }: PolicyDecision,
  isClaimable: boolean,
): WalletTransferStatus {
  if (approval_id !== undefined) return 'PENDING_APPROVAL';
  return held_until !== undefined || isClaimable ? 'PENDING' : 'COMPLETED';
}

const sumOf = <T>(all: readonly T[], units: (one: T) => bigint): bigint =>
  all.reduce((sum, one) => sum + units(one), 0n);

/** The address that somebody has to claim it for; a new one is counted. */
async function claimableOf(deps: TransferDeps, tx: Db, { parts, caller, isSplit }: TransferOrder) {
  const addresses = parts.flatMap(({ to }) => ('address' in to ? [to] : []));
  const [address] = addresses;
  if (!address) return undefined;
  if (isSplit)
    throw fail(
      'RECIPIENT_UNAVAILABLE',
      'That address has no account yet, and a split arrives at once',
      {
        hint: 'Send to a person without an account by a transfer of its own: they have to claim it.',
      },
    );
  await countAddress(deps, tx, caller, address.address);
  return address;
}

/** Each part is charged as a transfer of its own; what a quote is charged for comes on top. */
async function chargedParts(
  tx: Db,
  order: TransferOrder,
  trade: QuotedTrade | undefined,
): Promise<ChargedPart[]> {
  const { caller, from, parts } = order;
  const charged: ChargedPart[] = [];
  for (const [position, { to, units, note }] of parts.entries()) {
    const amount = { asset: from.currency, units };
    const fee = await feeOf(tx, { client_id: caller.client_id, rail: 'wallet', amount });
    charged.push({
      position,
      named_as: to.named_as,
      to_user_id: 'person' in to ? to.person.user_id : null,
      to_wallet_id: 'person' in to ? (to.wallet?.wallet_id ?? null) : null,
      amount: units,
      fee: fee.units + (trade ? quotedFee(trade) : 0n),
      note,
      terms: fee.terms,
    });
  }
  return charged;
}

/** The wallets of the receivers, in the order of the parts. One that is not there is opened. */
async function openedWallets(
  tx: Db,
  { parts }: TransferOrder,
  currency: FiatWallet['currency'],
): Promise<FiatWallet[]> {
  const wallets: FiatWallet[] = [];
  for (const { to } of parts)
    if ('person' in to)
      wallets.push(to.wallet ?? (await receivingWallet(tx, to.person.user_id, currency)));
  return wallets;
}

/** Uses the quote of an order up. */
async function tradeOf(
  tx: Db,
  { quote_id, caller: { user_id }, from: { currency: from }, parts }: TransferOrder,
  used_by: string,
): Promise<QuotedTrade | undefined> {
  if (quote_id === undefined) return undefined;
  return useQuote(tx, { quote_id, user_id, used_by, from, sells: parts[0]?.units });
}

/** A person's wallet in a currency, opened where there is none. */
export const receivingWallet = async (
  tx: Db,
  user_id: number,
  currency: FiatWallet['currency'],
): Promise<FiatWallet> =>
  (await fiatWalletOf(tx, user_id, currency)) ?? (await openWallet(tx, user_id, currency)).wallet;
