import { createAdmins } from '#features/accounts/admins/admins.ts';
import { createClients, verifyCompany } from '#features/accounts/clients/clients.ts';
import {
  type AppScope,
  createConnectedApps,
} from '#features/accounts/connected-apps/connected-apps.ts';
import { createExternalLogin } from '#features/accounts/external-login/external-login.ts';
import { createInstances } from '#features/accounts/instances/instances.ts';
import { createKeys } from '#features/accounts/keys/keys.ts';
import { createMobile } from '#features/accounts/mobile/mobile.ts';
import { createPartnerCustomers } from '#features/accounts/partner-customers/partner-customers.ts';
import { createPasskeys } from '#features/accounts/passkeys/passkeys.ts';
import { createPendingChanges } from '#features/accounts/pending-changes/pending-changes.ts';
import { createPolicies } from '#features/accounts/policies/policies.ts';
import { createProfile, type ProfileFeatureDeps } from '#features/accounts/profile/profile.ts';
import type { PspCustomers } from '#features/accounts/psp-customers/psp-customers.ts';
import { createRequestLogs } from '#features/accounts/request-logs/request-logs.ts';
import { createRewards, socialClaim } from '#features/accounts/rewards/rewards.ts';
import { createSessions } from '#features/accounts/sessions/sessions.ts';
import { createSignIn } from '#features/accounts/sign-in/sign-in.ts';
import { createSocialBots } from '#features/accounts/social-bots/social-bots.ts';
import { createStepUp } from '#features/accounts/step-up/step-up.ts';
import { createTwoFactor } from '#features/accounts/two-factor/two-factor.ts';
import { activate, createUsers } from '#features/accounts/users/users.ts';
import { createVerification } from '#features/accounts/verification/verification.ts';
import { openWalletOnApproval } from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { openFirstWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import type { MessageReporting } from '#features/messaging/message-reports/message-reports.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { LoginGuards } from '../login-guards.ts';
import type { Providers } from '../providers.ts';

/** What is asked of all features when a person goes. */
type Leaving = Pick<ProfileFeatureDeps, 'closingChecks' | 'files' | 'personData'>;

/** Who is who, and how they come in. */
export function accountFeatures(
  { externalLogin, fx, identity, partner, chatBots, whatsAppReports }: Providers,
  access: Kernel &
    LoginGuards & {
      readonly messageReports: MessageReporting;
      keyScopesOf(scopes: readonly AppScope[]): readonly string[];
    },
  { pspCustomers, ...closing }: { readonly pspCustomers: Feature & PspCustomers } & Leaving,
): Feature[] {
  const claim = socialClaim(access);
  const socialBots = createSocialBots({ ...access, chatBots, whatsAppReports, claim });
  const accounts = { ...access, pspCustomers };
  return [
    createKeys(access),
    createClients(accounts),
    createUsers({ ...accounts, fx }),
    createAdmins(accounts),
    createInstances(),
    createSessions(access),
    createRequestLogs(access),
    createSignIn(access),
    createTwoFactor(access),
    createMobile(access),
    createPasskeys(access),
    createProfile({ ...access, ...closing }),
    createConnectedApps(access),
    createExternalLogin({ ...access, external: externalLogin, afterUser: openFirstWallet }),
    createPendingChanges(access),
    createVerification({
      ...access,
      identity,
      onKyc: pspCustomers.syncKyc,
      onCompany: verifyCompany,
      async onApproved(tx, user_id) {
        await activate(tx, user_id);
        await openWalletOnApproval(tx, user_id);
      },
    }),
    createPartnerCustomers({ ...access, partner }),
    createRewards({ ...access, onLeave: socialBots.endLinks }),
    socialBots,
    createPolicies({ ...access, fx }),
    createStepUp(access),
  ];
}
