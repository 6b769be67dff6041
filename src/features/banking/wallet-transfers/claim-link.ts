import type { Requester } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { newToken } from '#kernel/secrets/token.ts';
import type { TransferDeps } from './deps.ts';
import { mailClaim } from './mails.ts';
import { moveTransfer, type WalletTransfer } from './store.ts';

/** 144 bits. */
const CLAIM_BYTES = 18;

/** Makes a transfer claimable from now on, and mails the link. */
export async function openClaim(
  deps: Pick<TransferDeps, 'clock' | 'messages' | 'publicUrl'>,
  tx: Db,
  by: Requester,
  transfer: WalletTransfer,
): Promise<WalletTransfer> {
  const { token, digest } = newToken(CLAIM_BYTES);
  const expires = new Date(deps.clock.ms() + transfer.claim_s * 1000);
  const row = await moveTransfer(tx, transfer, 'PENDING', {
    claim_digest: digest,
    claim_expires_at: expires.toISOString(),
    held_until: null,
  });
  if (!row) throw new Error(`Transfer ${transfer.object_id} has moved meanwhile`);
  const opened = { ...transfer, ...row };
  await mailClaim(deps, tx, by, { transfer: opened, token });
  return opened;
}
