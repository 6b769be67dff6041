import {
  externalAdditions,
  linkApplier,
} from '#features/accounts/external-login/external-login.ts';
import { keyAdditions } from '#features/accounts/keys/keys.ts';
import { deviceAdditions } from '#features/accounts/mobile/mobile.ts';
import { passkeyAdditions } from '#features/accounts/passkeys/passkeys.ts';
import type { PasswordGuesses } from '#features/accounts/password-guesses/password-guesses.ts';
import {
  type Appliers,
  createProposals,
} from '#features/accounts/pending-changes/pending-changes.ts';
import type { SecurityNotices } from '#features/accounts/security-notices/security-notices.ts';
import { allAdditions } from '#features/accounts/sign-in/sign-in.ts';
import {
  createLoginCodes,
  removalApplier,
  secondFactorAdditions,
  takeCode,
} from '#features/accounts/two-factor/two-factor.ts';
import { addressApplier } from '#features/accounts/users/users.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import type { Attempts } from '#kernel/access/attempts.ts';
import { createFreshProof } from '#kernel/access/fresh-proof.ts';
import type { Kernel } from '#kernel/kernel.ts';

interface GuardDeps {
  readonly attempts: Attempts;
  readonly messages: Messages;
  readonly guesses: PasswordGuesses;
  readonly notices: SecurityNotices;
}

/**
 * What guards the ways into an account: who may add one, who is notified, what waits for whose consent,
 * and what a reset of the password can undo. A new way in is added to `additions` here, and one that
 * others may ask for to `appliers`.
 */
export function createLoginGuards(kernel: Kernel, given: GuardDeps) {
  const counted = { ...kernel, ...given };
  const codes = createLoginCodes(counted);
  const changes = createProposals(counted);
  const proofs = { takeCode: takeCode(counted) };
  const freshProof = createFreshProof({ ...counted, ...proofs });
  const guards = { ...given, ...proofs, codes, changes, freshProof };
  const link = linkApplier(counted);
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
    deviceAdditions(kernel),
    passkeyAdditions(),
  ]);
  return { ...guards, appliers, additions };
}

export type LoginGuards = ReturnType<typeof createLoginGuards>;
