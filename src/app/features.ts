import { adminRoutes } from '#features/admins/routes.ts';
import { createCards } from '#features/cards/routes.ts';
import { clientRoutes } from '#features/clients/routes.ts';
import { createCrosschain } from '#features/crosschain/crosschain.ts';
import {
  managedAddresses,
  openWalletOnApproval,
  signerOf,
} from '#features/crypto-wallets/crypto-wallets.ts';
import { cryptoWalletRoutes } from '#features/crypto-wallets/routes.ts';
import { externalLoginRoutes } from '#features/external-login/routes.ts';
import { feeSettingsRoutes } from '#features/fee-settings/routes.ts';
import { openFirstWallet } from '#features/fiat-wallets/fiat-wallets.ts';
import { fiatWalletRoutes } from '#features/fiat-wallets/routes.ts';
import { instanceRoutes } from '#features/instances/routes.ts';
import { keyRoutes } from '#features/keys/routes.ts';
import { createMessages } from '#features/messages/messages.ts';
import { createOnchain } from '#features/onchain/onchain.ts';
import { createPartnerCustomers } from '#features/partner-customers/partner-customers.ts';
import {
  pendingChangePages,
  pendingChangeRoutes,
  pendingChangeSchedules,
} from '#features/pending-changes/routes.ts';
import { createPspCustomers } from '#features/psp-customers/psp-customers.ts';
import { retentionSchedules } from '#features/retention/retention.ts';
import { rewardsRoutes } from '#features/rewards/routes.ts';
import { rewardsSchedules } from '#features/rewards/schedules.ts';
import { sessionRoutes } from '#features/sessions/routes.ts';
import { signInPages } from '#features/sign-in/pages.ts';
import { resetLinkJob } from '#features/sign-in/reset-password.ts';
import { signInRoutes } from '#features/sign-in/routes.ts';
import { lapseSchedule } from '#features/sign-in/temporary-passwords.ts';
import { tokenRoutes } from '#features/tokens/routes.ts';
import { twoFactorRoutes } from '#features/two-factor/routes.ts';
import { userSchedules } from '#features/users/jobs.ts';
import { userPages } from '#features/users/links.ts';
import { userRoutes } from '#features/users/routes.ts';
import { createVerification } from '#features/verification/verification.ts';
import { createSendings } from '#kernel/access/sending.ts';
import { createSignUps } from '#kernel/access/sign-ups.ts';
import type { Db } from '#kernel/db/db.ts';
import type { AnyEffect } from '#kernel/effects/effect.ts';
import type { Machine } from '#kernel/effects/saga-machine.ts';
import type { Page } from '#kernel/http/pages.ts';
import type { Route } from '#kernel/http/route.ts';
import type { Job, Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Providers } from './providers.ts';
import { createWaysIn } from './ways-in.ts';

/** Everything the features bring along. */
export interface Features {
  /** What every new user gets, in the transaction that makes them. */
  afterUser(tx: Db, user: { user_id: number; client_id: number }): Promise<void>;
  readonly routes: readonly Route[];
  readonly pages: readonly Page[];
  readonly jobs: readonly Job[];
  readonly schedules: readonly Schedule[];
  /** Calls to the outside whose answer may get lost. */
  readonly effects: readonly AnyEffect[];
  /** Flows of several steps, each a table of states. */
  readonly machines: readonly Machine[];
}

/** The composition of all features: each is handed what it needs and nothing else. */
export function createFeatures(
  kernel: Kernel,
  {
    messageSenders,
    lackingFor,
    pspA,
    identity,
    partner,
    evm,
    cctp,
    fx,
    cards: network,
    externalLogin: external,
  }: Providers,
): Features {
  const sendings = createSendings(kernel.config, kernel.budgets);
  const signUps = createSignUps(kernel.config, kernel.budgets);
  const messages = createMessages({ ...kernel, messageSenders, lackingFor, sendings });
  const waysIn = createWaysIn(kernel, messages);
  const access = { ...kernel, ...waysIn, signUps };
  const pspCustomers = createPspCustomers({ ...kernel, pspA });
  const resetLinks = resetLinkJob(access);
  const cards = createCards(kernel, network);
  const partnerCustomers = createPartnerCustomers({ ...kernel, partner });
  const verification = createVerification({
    ...kernel,
    identity,
    onApproved: openWalletOnApproval,
    onKyc: (tx, user_id, status) => pspCustomers.tellKyc(tx, user_id, status),
  });
  const chains = { ...kernel, evm, fx };
  const onchain = createOnchain(chains);
  const crosschain = createCrosschain(kernel, {
    evm,
    cctp,
    async signersOf(user_id, chain_id) {
      const addresses = await managedAddresses(kernel.db, { user_id }, { chain_id });
      return addresses.map((address) => signerOf(kernel.vault, address));
    },
  });
  return {
    afterUser: openFirstWallet,
    routes: [
      ...cards.routes,
      ...fiatWalletRoutes(kernel),
      ...cryptoWalletRoutes(chains),
      ...tokenRoutes(chains),
      ...crosschain.routes,
      ...feeSettingsRoutes(kernel),
      ...onchain.routes,
      ...keyRoutes(kernel),
      ...signInRoutes({ ...access, resetLinks }),
      ...twoFactorRoutes(access),
      ...pendingChangeRoutes(access),
      ...sessionRoutes(kernel),
      ...rewardsRoutes(access),
      ...clientRoutes({ ...access, pspCustomers }),
      ...instanceRoutes(),
      ...userRoutes({ ...access, pspCustomers, fx }),
      ...adminRoutes({ ...access, pspCustomers }),
      ...verification.routes,
      ...partnerCustomers.routes,
      ...externalLoginRoutes({ ...access, external, afterUser: openFirstWallet }),
    ],
    pages: [...signInPages(access), ...userPages(), ...pendingChangePages(kernel)],
    jobs: [
      resetLinks,
      ...pspCustomers.jobs,
      ...verification.jobs,
      ...partnerCustomers.jobs,
      ...crosschain.jobs,
      ...messages.jobs,
    ],
    schedules: [
      ...retentionSchedules(kernel),
      lapseSchedule(kernel),
      ...rewardsSchedules(kernel),
      ...cards.schedules,
      ...onchain.schedules,
      ...crosschain.schedules,
      ...userSchedules(kernel),
      ...waysIn.notices.schedules,
      ...pendingChangeSchedules(access),
      ...verification.schedules,
      ...messages.schedules,
    ],
    effects: [...onchain.effects],
    machines: [],
  };
}
