import type { Feature } from '#kernel/feature.ts';
import type { HoldOwner } from '#kernel/ledger/holds.ts';
import { transferActRoutes } from './act-routes.ts';
import type { TransferDeps } from './deps.ts';
import { TRANSFER_PART_PAYMENTS, TRANSFER_PAYMENTS, WALLET_TRANSFER_EVENTS } from './events.ts';
import { claimPage } from './page.ts';
import { WALLET_TRANSFERS_PERSON_DATA } from './person-data.ts';
import { TRANSFERS_WORDS } from './reference.ts';
import { sendRoute } from './routes.ts';
import { findTransferHolders } from './store.ts';
import {
  expireTransfers,
  refuseTransferJob,
  releaseTransfers,
  transferApprovals,
} from './upkeep.ts';

export type { TransferDeps } from './deps.ts';
export { countAddress, countDaily } from './new-addresses.ts';
export { findPerson as findPayee } from './people-store.ts';
export { walletFees } from './postings.ts';
export { maskedAddress, maskedName, TRANSFER_SIDES, TransferParty } from './presenters.ts';
export { findReceiver, type Receiver, requireReceiver, ToInput } from './receivers.ts';
export { ownPayingWallet, SENDING_ERRORS } from './routes.ts';
export { sendWithin } from './send.ts';

export const TRANSFER_HOLDS: HoldOwner = {
  kind: 'wallet-transfer-hold',
  freedBy: 'The transfer arrives, is cancelled, or is not claimed in time',
  find: findTransferHolders,
};

/** Money between the wallets of one client's people, and to people who are none yet. */
export function createWalletTransfers(deps: TransferDeps): Feature {
  const refusing = refuseTransferJob(deps);
  return {
    name: 'transfers',
    personData: WALLET_TRANSFERS_PERSON_DATA,
    reference: TRANSFERS_WORDS,
    routes: [sendRoute(deps), ...transferActRoutes(deps)],
    pages: [claimPage(deps)],
    jobs: [refusing],
    schedules: [expireTransfers(deps), releaseTransfers(deps)],
    events: WALLET_TRANSFER_EVENTS,
    holds: [TRANSFER_HOLDS],
    approvals: [transferApprovals(deps, refusing)],
    payments: [
      { object: 'wallet_transfer', rail: 'wallet', source: TRANSFER_PAYMENTS },
      { object: 'wallet_transfer_part', rail: 'wallet', source: TRANSFER_PART_PAYMENTS },
    ],
  };
}
