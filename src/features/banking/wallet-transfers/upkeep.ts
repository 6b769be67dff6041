import type { Db } from '#kernel/db/db.ts';
import { defineJob, defineSchedule, type Job, type Schedule } from '#kernel/jobs/job.ts';
import { postAllWithin, postWithin } from '#kernel/ledger/post.ts';
import { uuidOfObjectId } from '#kernel/object-id.ts';
import type { ApprovalSubject, EndedWithout } from '#kernel/policies/approvals.ts';
import { transact } from '#kernel/transact.ts';
import type { TransferDeps } from './deps.ts';
import { endTransfer, proceed } from './settle.ts';
import {
  lockWalletTransfer,
  releasedTransfers,
  unclaimedTransfers,
  type WalletTransfer,
} from './store.ts';

const AT_ONCE = 200;

/** Gives back what was not claimed. */
export const expireTransfers = (deps: TransferDeps): Schedule =>
  defineSchedule({
    name: 'wallet-transfers.expire',
    cron: '* * * * *',
    async run({ signal }) {
      for (let ended = AT_ONCE; ended === AT_ONCE && !signal.aborted; )
        ended = await transact(deps.db, async (tx) => {
          const rows = await unclaimedTransfers(tx, AT_ONCE);
          const freeing = [];
          for (const row of rows)
            freeing.push((await endTransfer(deps, tx, row, { status: 'EXPIRED' })).freeing);
          await postAllWithin(tx, freeing);
          return rows.length;
        });
    },
  });

/** Goes on with what policies have held for a time. */
export const releaseTransfers = (deps: TransferDeps): Schedule =>
  defineSchedule({
    name: 'wallet-transfers.release',
    cron: '* * * * *',
    async run({ signal }) {
      for (const transfer_id of await releasedTransfers(deps.db, AT_ONCE)) {
        if (signal.aborted) return;
        await whileOpen(deps, transfer_id, 'PENDING', (tx, transfer) =>
          transfer.held_until === null ? Promise.resolve() : proceed(deps, tx, transfer),
        );
      }
    },
  });

/** Does something with a transfer, locked, that still is in that status. */
const whileOpen = (
  { db }: Pick<TransferDeps, 'db'>,
  transfer_id: string,
  status: WalletTransfer['status'],
  act: (tx: Db, transfer: WalletTransfer) => Promise<void>,
): Promise<void> =>
  transact(db, async (tx) => {
    const transfer = await lockWalletTransfer(tx, transfer_id);
    if (transfer?.status === status) await act(tx, transfer);
  });

interface Refused {
  readonly transfer_id: string;
  readonly why: EndedWithout;
}

const WHY: Readonly<Record<EndedWithout, string>> = {
  REJECTED: 'It was not approved',
  EXPIRED: 'It was not approved in time',
  CANCELLED: 'Its sender may not send any more',
};

async function refuse(
  deps: TransferDeps,
  tx: Db,
  transfer: WalletTransfer,
  why: EndedWithout,
): Promise<void> {
  const failure = { code: why === 'EXPIRED' ? 'APPROVAL_EXPIRED' : why, message: WHY[why] };
  const { freeing } = await endTransfer(deps, tx, transfer, { status: 'CANCELLED', failure });
  await postWithin(tx, freeing);
}

/** A job, since several may end in one transaction, which posts once. */
export const refuseTransferJob = (deps: TransferDeps): Job<Refused> =>
  defineJob<Refused>({
    name: 'wallet-transfers.refuse',
    async run({ transfer_id, why }) {
      await whileOpen(deps, transfer_id, 'PENDING_APPROVAL', (tx, transfer) =>
        refuse(deps, tx, transfer, why),
      );
      return undefined;
    },
  });

/** What becomes of transfers that wait for an approval. */
export function transferApprovals(deps: TransferDeps, refusing: Job<Refused>): ApprovalSubject {
  const open = async (tx: Db, object_id: string): Promise<WalletTransfer | undefined> => {
    const transfer = await lockWalletTransfer(tx, idOf(object_id));
    return transfer?.status === 'PENDING_APPROVAL' ? transfer : undefined;
  };
  return {
    object: 'wallet_transfer',
    async approved(tx, { object_id }) {
      const transfer = await open(tx, object_id);
      if (transfer) await proceed(deps, tx, transfer);
    },
    async cancelled(tx, { object_id }, why) {
      const transfer = await open(tx, object_id);
      if (!transfer) return;
      if (why === 'REJECTED') return refuse(deps, tx, transfer, why);
      const { transfer_id } = transfer;
      await deps.jobs.enqueue(tx, refusing, { transfer_id, why }, { key: transfer_id });
    },
  };
}

function idOf(object_id: string): string {
  const id = uuidOfObjectId('trf', object_id);
  if (id === undefined) throw new Error(`${object_id} is no transfer`);
  return id;
}
