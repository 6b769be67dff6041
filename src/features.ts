import { openFirstWallet } from '#features/fiat-wallets/fiat-wallets.ts';
import { fiatWalletRoutes } from '#features/fiat-wallets/routes.ts';
import { keyRoutes } from '#features/keys/routes.ts';
import { createMessages } from '#features/messages/messages.ts';
import { sessionRoutes } from '#features/sessions/routes.ts';
import { signInPages } from '#features/sign-in/pages.ts';
import { resetLinkJob } from '#features/sign-in/reset-password.ts';
import { signInRoutes } from '#features/sign-in/routes.ts';
import { twoFactorRoutes } from '#features/two-factor/routes.ts';
import { createLoginCodes } from '#features/two-factor/two-factor.ts';
import { upkeepSchedules } from '#features/upkeep/upkeep.ts';
import { createAttempts } from '#kernel/access/attempts.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Page } from '#kernel/http/pages.ts';
import type { Route } from '#kernel/http/route.ts';
import type { Job, Schedule } from '#kernel/jobs/job.ts';
import type { Machine } from '#kernel/jobs/saga-machine.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Providers } from './providers.ts';

/** Everything the features bring along. */
export interface Features {
  /** What every new user gets, in the transaction that makes them. */
  afterUser(tx: Db, user: { user_id: number; client_id: number }): Promise<void>;
  readonly routes: readonly Route[];
  readonly pages: readonly Page[];
  readonly jobs: readonly Job[];
  readonly schedules: readonly Schedule[];
  /** Flows of several steps, each a table of states. */
  readonly machines: readonly Machine[];
}

/** The composition of all features: each is handed what it needs and nothing else. */
export function createFeatures(kernel: Kernel, { couriers }: Providers): Features {
  const messages = createMessages({ ...kernel, couriers });
  const attempts = createAttempts(kernel);
  const codes = createLoginCodes({ ...kernel, attempts });
  const resetLinks = resetLinkJob({ ...kernel, messages });
  return {
    afterUser: openFirstWallet,
    routes: [
      ...fiatWalletRoutes(kernel),
      ...keyRoutes(kernel),
      ...signInRoutes({ ...kernel, messages, attempts, codes, resetLinks }),
      ...twoFactorRoutes({ ...kernel, messages, attempts, codes }),
      ...sessionRoutes(kernel),
    ],
    pages: [...signInPages(kernel)],
    jobs: [resetLinks, ...messages.jobs],
    schedules: [...upkeepSchedules(kernel), ...messages.schedules],
    machines: [],
  };
}
