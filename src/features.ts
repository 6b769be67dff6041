import { openFirstWallet } from '#features/fiat-wallets/fiat-wallets.ts';
import { fiatWalletRoutes } from '#features/fiat-wallets/routes.ts';
import { keyRoutes } from '#features/keys/routes.ts';
import { createMessages } from '#features/messages/messages.ts';
import { upkeepSchedules } from '#features/upkeep/upkeep.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Page } from '#kernel/http/pages.ts';
import type { Route } from '#kernel/http/route.ts';
import type { Job, Schedule } from '#kernel/jobs/job.ts';
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
}

/** The composition of all features: each is handed what it needs and nothing else. */
export function createFeatures(kernel: Kernel, { couriers }: Providers): Features {
  const messages = createMessages({ ...kernel, couriers });
  return {
    afterUser: openFirstWallet,
    routes: [...fiatWalletRoutes(kernel), ...keyRoutes(kernel)],
    pages: [],
    jobs: [...messages.jobs],
    schedules: [...upkeepSchedules(kernel), ...messages.schedules],
  };
}
