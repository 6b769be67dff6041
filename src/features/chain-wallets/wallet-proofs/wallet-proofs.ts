import type { Feature } from '#kernel/feature.ts';
import { defineSchedule } from '#kernel/jobs/job.ts';
import type { WalletProofDeps } from './deps.ts';
import { WALLET_PROOF_EVENTS } from './events.ts';
import { WALLET_PROOFS_PERSON_DATA } from './person-data.ts';
import { walletProofRoutes } from './routes.ts';
import { forgetLapsedWalletChallenges } from './store.ts';

export {
  HOW_TO_PROVE,
  isWalletOf,
  notYourWallet,
  type WalletPlace,
  walletOwner,
  walletOwners,
} from './owner.ts';
export { PROOF_CHAINS, type ProofChain } from './store.ts';

import { WALLET_PROOFS_WORDS } from './reference.ts';

/** Wallets that users hold the keys of, and the question whose wallet an address is. */
export const createWalletProofs = (deps: WalletProofDeps): Feature => ({
  name: 'wallet-proofs',
  personData: WALLET_PROOFS_PERSON_DATA,
  reference: WALLET_PROOFS_WORDS,
  routes: walletProofRoutes(deps),
  events: WALLET_PROOF_EVENTS,
  schedules: [
    defineSchedule({
      name: 'wallet-proofs.retention',
      cron: '41 * * * *',
      run: () => forgetLapsedWalletChallenges(deps.db, deps.clock.now().toISOString()),
    }),
  ],
});
