import type { Db } from '#kernel/db/db.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import { readTallies } from '#kernel/tallies/tallies.ts';
import { transact } from '#kernel/transact.ts';
import type { BridgeDeps } from './deps.ts';
import { emitBridge } from './events.ts';
import { moveBridge, overdueTransfers } from './store.ts';

/** So old a transfer that has not arrived is stalled: emitted, counted, and asked for again for ever. */
const STALLED_AFTER_MS = 24 * 3_600_000;
const AT_ONCE = 200;
/** Burnt, and not arrived. */
const UNDER_WAY = ['BURNED', 'ATTESTED', 'MINTING', 'SENDING'] as const;

/** Calls transfers of a day ago stalled. */
export const stallSchedule = (deps: BridgeDeps): Schedule =>
  defineSchedule({
    name: 'bridge.stall',
    cron: '* * * * *',
    async run({ signal }) {
      for (const status of UNDER_WAY)
        for (let n = AT_ONCE; n === AT_ONCE && !signal.aborted; )
          n = await transact(deps.db, (tx) => stall(deps, tx, status));
    },
  });

async function stall(
  { places, log }: BridgeDeps,
  tx: Db,
  status: (typeof UNDER_WAY)[number],
): Promise<number> {
  const overdue = await overdueTransfers(tx, status, { afterMs: STALLED_AFTER_MS, limit: AT_ONCE });
  for (const { bridge_transfer_id, object_id } of overdue) {
    const row = await moveBridge(tx, { bridge_transfer_id, status }, 'STALLED', {
      stalled_in: status,
    });
    if (!row) continue;
    log.error({ bridge_transfer: object_id, in: status }, 'A bridge transfer has not arrived');
    await emitBridge(tx, row, places);
  }
  return overdue.length;
}

/** How many transfers are burnt and have not arrived. */
export const measureBridge = ({ metrics, db }: Pick<BridgeDeps, 'metrics' | 'db'>): void =>
  metrics.gauge(
    'archipay_bridge_owed',
    'Bridge transfers that are burnt and have not arrived, by status',
    ['status'],
    async () => {
      const counts = await readTallies(db, 'bridge transfers');
      return [...UNDER_WAY, 'STALLED'].map((status) => ({
        labels: { status },
        value: counts.get(status) ?? 0,
      }));
    },
  );
