import { findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import { digestOf } from '#kernel/secrets/token.ts';
import type { TransferDeps } from './deps.ts';
import { hasAddress } from './people-store.ts';
import { deliver } from './settle.ts';
import { lockWalletTransfer, type WalletTransfer } from './store.ts';

export interface TransferClaim {
  readonly caller: UserCaller;
  readonly transfer_id: string;
  readonly token: string;
  readonly wallet_id: number | undefined;
}

/**
 * Pays money that waits for its receiver to who has the link and has proven the address, once. Throws NOT_FOUND,
 * VERIFICATION_REQUIRED, SAME_WALLET, CURRENCY_MISMATCH and INVALID_STATUS.
 */
export async function claimTransfer(
  { clock }: Pick<TransferDeps, 'clock'>,
  tx: Db,
  { caller, transfer_id, token, wallet_id }: TransferClaim,
): Promise<WalletTransfer> {
  const { user_id, client_id } = caller;
  const transfer = await lockWalletTransfer(tx, transfer_id);
  if (!transfer || !isClaimOf(transfer, token) || transfer.client_id !== client_id)
    throw fail('NOT_FOUND', 'Transfer not found');
  const { status, claim_expires_at, claim_channel, claim_address } = transfer;
  if (status === 'COMPLETED' && transfer.parts[0]?.to_user_id === user_id) return transfer;
  const isLate = claim_expires_at !== null && claim_expires_at <= clock.now().toISOString();
  if (status !== 'PENDING' || isLate)
    throw notAllowedIn(status === 'PENDING' ? 'EXPIRED' : status, ['PENDING']);
  const named = { channel: claim_channel ?? 'email', address: claim_address ?? '' } as const;
  if (!(await hasAddress(tx, user_id, named)))
    throw fail('VERIFICATION_REQUIRED', 'It was sent to an address that you have not confirmed');
  if (user_id === transfer.user_id)
    throw fail('SAME_WALLET', 'The money would go to the wallet that pays');
  await requireOwnWallet(tx, transfer, user_id, wallet_id);
  return deliver(tx, transfer, [user_id]);
}

const isClaimOf = ({ claim_digest }: WalletTransfer, token: string): boolean =>
  claim_digest?.equals(digestOf(token)) ?? false;

/** A person has one wallet of a currency, so that a wallet that is named can only be that one. */
async function requireOwnWallet(
  tx: Db,
  { currency: paid, received_currency }: WalletTransfer,
  user_id: number,
  wallet_id: number | undefined,
): Promise<void> {
  if (wallet_id === undefined) return;
  const wallet = await findFiatWallet(tx, { user_id }, wallet_id);
  if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  const currency = received_currency ?? paid;
  if (wallet.currency !== currency)
    throw fail(
      'CURRENCY_MISMATCH',
      `The money is in ${currency}, the wallet in ${wallet.currency}`,
    );
}
