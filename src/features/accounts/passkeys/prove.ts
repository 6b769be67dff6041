import type { SecurityNotices } from '#features/accounts/security-notices/security-notices.ts';
import type { Db } from '#kernel/db/db.ts';
import type { AppError } from '#kernel/error.ts';
import {
  type PartyDeps,
  type PasskeyResponse,
  relyingPartyOf,
  unknownPasskey,
  verifyAssertion,
} from './ceremony.ts';
import { type KnownPasskey, lockPasskey, notePasskeyUse } from './store.ts';

export type PasskeyProofDeps = PartyDeps & { readonly notices: SecurityNotices };

interface Proving {
  readonly challenge: Buffer;
  readonly response: PasskeyResponse;
  /** Only a passkey that it holds for counts. */
  isMeant(passkey: KnownPasskey): boolean;
}

/**
 * The passkey that has signed a challenge, or PASSKEY_UNKNOWN to return: the transaction has to commit. A count of
 * signatures that does not rise shows a copied authenticator: it logs no one in, and its owner is mailed.
 */
export async function provePasskey(
  deps: PasskeyProofDeps,
  tx: Db,
  { challenge, response, isMeant }: Proving,
): Promise<KnownPasskey | AppError> {
  const passkey = await lockPasskey(tx, response.id);
  if (!passkey || !isMeant(passkey)) return unknownPasskey();
  const proof = await verifyAssertion(relyingPartyOf(deps), challenge, response, passkey);
  if (!proof) return unknownPasskey();
  const before = Number(passkey.sign_count);
  const counts = before > 0 || proof.sign_count > 0;
  if (counts && proof.sign_count <= before) {
    await deps.notices.record(tx, passkey.user_id, 'passkey-copied');
    await deps.notices.sendDue(tx, passkey.user_id);
    return unknownPasskey();
  }
  await notePasskeyUse(tx, { passkey_id: passkey.passkey_id, ...proof });
  return passkey;
}
