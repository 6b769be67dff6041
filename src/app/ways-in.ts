import { externalAdditions } from '#features/external-login/additions.ts';
import { linkApplier } from '#features/external-login/link.ts';
import { keyAdditions } from '#features/keys/additions.ts';
import type { Messages } from '#features/messages/messages.ts';
import { createPasswordGuesses } from '#features/password-guesses/password-guesses.ts';
import { type Appliers, createPendingChanges } from '#features/pending-changes/pending-changes.ts';
import { createSecurityNotices } from '#features/security-notices/security-notices.ts';
import { allAdditions } from '#features/sign-in/added-since.ts';
import { secondFactorAdditions } from '#features/two-factor/additions.ts';
import { takeCode } from '#features/two-factor/code-proof.ts';
import { removalApplier } from '#features/two-factor/removal.ts';
import { createLoginCodes } from '#features/two-factor/two-factor.ts';
import { addressApplier } from '#features/users/address.ts';
import { createAttempts } from '#kernel/access/attempts.ts';
import { createFreshProof } from '#kernel/access/fresh-proof.ts';
import type { Kernel } from '#kernel/kernel.ts';

/**
 * What guards the ways into an account: who may add one, who is told of it, what waits for whose word,
 * and what a reset of the password can undo. A new way in is added to `additions` here, and one that
 * others may ask for to `appliers`.
 */
export function createWaysIn(kernel: Kernel, messages: Messages) {
  const attempts = createAttempts(kernel);
  const guesses = createPasswordGuesses({ ...kernel, attempts, messages });
  const counted = { ...kernel, messages, attempts, guesses };
  const codes = createLoginCodes(counted);
  const notices = createSecurityNotices(counted);
  const changes = createPendingChanges(counted);
  const freshProof = createFreshProof({ ...counted, takeCode: takeCode(counted) });
  const guards = { messages, attempts, guesses, codes, notices, changes, freshProof };
  const link = linkApplier({ ...kernel, notices });
  const appliers: Appliers = {
    email: addressApplier({ ...kernel, ...guards }),
    'external-login': link,
    wallet: link,
    'second-factor-removal': removalApplier(guards),
  };
  const additions = allAdditions([
    externalAdditions(),
    secondFactorAdditions(kernel),
    keyAdditions(kernel),
  ]);
  return { ...guards, appliers, additions };
}
