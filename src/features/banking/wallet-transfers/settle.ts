import { endPromise, type QuotedTrade, usedQuote } from '#features/fiat/fx/fx.ts';
import { accountOf } from '#kernel/access/attempts.ts';
import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import type { ObjectFailure } from '#kernel/http/declare/state-fields.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import { openClaim } from './claim-link.ts';
import type { TransferDeps } from './deps.ts';
import { emitTransfer } from './events.ts';
import { areActive } from './people-store.ts';
import { transferPayment, transferRelease } from './postings.ts';
import { receivingWallet } from './send.ts';
import { moveTransfer, setReceiver, type WalletTransfer, withParts } from './store.ts';

/** What it is ended with. */
export interface TransferEnd {
  readonly status: 'CANCELLED' | 'EXPIRED' | 'FAILED';
  readonly failure?: Pick<ObjectFailure, 'code' | 'message'>;
}

/** Ends one that is locked and open, and answers the posting that frees its money: post it last. */
export async function endTransfer(
  { clock }: Pick<TransferDeps, 'clock'>,
  tx: Db,
  transfer: WalletTransfer,
  { status, failure }: TransferEnd,
): Promise<{ readonly ended: WalletTransfer; readonly freeing: Operation }> {
  await giveBackLimits(tx, { operation: transfer.operation, kind: 'transfer' });
  const why = failure && { ...failure, retryable: false, at: clock.now().toISOString() };
  if (transfer.quote_id !== null) await endPromise(tx, transfer.quote_id);
  const row = await moveTransfer(tx, transfer, status, {
    ...(why && { failure: JSON.stringify(why) }),
  });
  if (!row) throw new Error(`Transfer ${transfer.object_id} is not open`);
  const ended = { ...transfer, ...row };
  emitTransfer(tx, ended);
  return { ended, freeing: transferRelease(transfer) };
}

/**
 * Goes on with one that is locked and open, once nothing holds it back: it arrives, is held for a time, or may be claimed. One
 * whose receiver was stopped meanwhile fails. Posts.
 */
export async function proceed(deps: TransferDeps, tx: Db, transfer: WalletTransfer): Promise<void> {
  const { held_until, claim_address, client_id, user_id } = transfer;
  if (held_until !== null && new Date(held_until) > deps.clock.now()) {
    const row = await moveTransfer(tx, transfer, 'PENDING');
    if (row) emitTransfer(tx, { ...transfer, ...row });
    return;
  }
  if (claim_address !== null) {
    const by: Requester = { ip: 'ourselves', actor: accountOf(user_id), client_id, user_id };
    emitTransfer(tx, await openClaim(deps, tx, by, transfer));
    return;
  }
  const receivers = transfer.parts.flatMap(({ to_user_id }) => to_user_id ?? []);
  if (await areActive(tx, receivers)) {
    await deliver(tx, transfer, receivers);
    return;
  }
  const { freeing } = await endTransfer(deps, tx, transfer, {
    status: 'FAILED',
    failure: { code: 'RECIPIENT_UNAVAILABLE', message: 'The receiver cannot receive money' },
  });
  await postWithin(tx, freeing);
}

/** Pays the receivers of the parts, in their order, out of what is held. */
export async function deliver(
  tx: Db,
  transfer: WalletTransfer,
  people: readonly number[],
): Promise<WalletTransfer> {
  const row = await moveTransfer(tx, transfer, 'COMPLETED');
  if (!row) throw new Error(`Transfer ${transfer.object_id} is not open`);
  const currency = transfer.received_currency ?? transfer.currency;
  const receivers: { account: number; amount: bigint }[] = [];
  for (const [n, part] of transfer.parts.entries()) {
    const user_id = people[n];
    if (user_id === undefined) throw new Error(`${part.object_id} has no receiver`);
    const { wallet_id, account_id } = await receivingWallet(tx, user_id, currency);
    await setReceiver(tx, part, { user_id, wallet_id });
    receivers.push({ account: account_id, amount: part.amount });
  }
  const [delivered] = await withParts(tx, [row]);
  if (!delivered) throw new Error(`Transfer ${transfer.object_id} vanished`);
  emitTransfer(tx, delivered);
  const trade = await tradeOf(tx, transfer);
  await postWithin(tx, await transferPayment(tx, transfer, { receivers, isHeld: true, trade }));
  return delivered;
}

/** The quote by which it pays, which it has used up. */
const tradeOf = async (
  tx: Db,
  { quote_id, user_id, object_id: used_by }: WalletTransfer,
): Promise<QuotedTrade | undefined> =>
  quote_id === null ? undefined : usedQuote(tx, { quote_id, user_id, used_by });
