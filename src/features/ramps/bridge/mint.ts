import type { DonePayment } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect } from '#kernel/effects/effect.ts';
import { unknown } from '#kernel/effects/outcome.ts';
import type { BridgePorts } from './deps.ts';
import { emitBridge } from './events.ts';
import { attemptId, required } from './moves.ts';
import { bookMintedFar, carriedUnits } from './postings.ts';
import { type BridgeRow, editBridge, findBridge, moveBridge, writeStep } from './store.ts';

type Mints = Effect<BridgeRow, DonePayment>;

const HEAD_START_MS = 60_000;
const PAUSES = { firstMs: 5000, maxMs: 10 * 60_000 };

const objectOf = (id: string): string => id.split(':')[0] ?? id;
const attemptOf = (id: string): number => Number(id.split(':')[1]);
const mintReference = ({ object_id, mint_attempt }: BridgeRow): string =>
  `bridge.mint:${attemptId(object_id, mint_attempt)}`;

type Base = BridgePorts & {
  /** Begins the payment to the recipient. */
  sends(tx: Db, row: BridgeRow): unknown;
};

/**
 * Mints or issues what was taken in, to the platform's address on the far side. Asked for again for as long as it takes; one
 * that comes after the source was paid ahead is the platform's.
 */
export function mintEffect(base: Base & Pick<BridgePorts, 'effects'>): Mints {
  const mints: Mints = defineEffect<BridgeRow, DonePayment>({
    kind: 'bridge.mint',
    repeatable: true,
    headStartMs: HEAD_START_MS,
    pauses: PAUSES,
    async open(db, id) {
      const row = await findBridge(db, { object_id: objectOf(id) });
      const isWanted = row?.is_burn_final && !row.is_minted;
      return isWanted ? { ...row, mint_attempt: attemptOf(id) } : undefined;
    },
    find: (db, id) => findBridge(db, { object_id: objectOf(id) }),
    names: (row) => [row.object_id, mintReference(row)],
    async call(row) {
      const ledger = base.places.ledger(row.to_chain);
      if (!ledger) return unknown('Another transfer carries it');
      return ledger.make({ reference: mintReference(row), units: carriedUnits(row) });
    },
    settle: (tx, row, done) => minted(base, tx, row, done),
    async refuse(tx, row) {
      const { bridge_transfer_id, mint_attempt } = row;
      const filter = { bridge_transfer_id, mint_attempt, is_minted: false };
      const next = required(
        await editBridge(tx, filter, { mint_attempt: mint_attempt + 1 }),
        'A refusal',
      );
      await base.effects.begin(tx, mints, attemptId(next.object_id, next.mint_attempt), {
        left: {},
      });
      return true;
    },
  });
  return mints;
}

async function minted(base: Base, tx: Db, row: BridgeRow, done: DonePayment): Promise<void> {
  const { places } = base;
  const { bridge_transfer_id, to_chain: chain } = row;
  const { hash, block } = done;
  const ledger = places.ledger(chain);
  if (!ledger) throw new Error(`${row.object_id} is carried by another transfer`);
  const step = {
    bridge_transfer_id,
    chain,
    hash,
    block,
    confirmations: places.needed(chain),
  } as const;
  await writeStep(tx, { ...step, name: 'mint', state: 'DONE' });
  const advanced = { bridge_transfer_id, status: 'ADVANCED' as const, is_minted: false };
  const late = await editBridge(tx, advanced, { is_minted: true });
  if (late) return bookMintedFar(tx, late, { ledger, done });
  const filter = { bridge_transfer_id, status: ['MINTING', 'STALLED'] as const, is_minted: false };
  const changes = { is_minted: true, stalled_in: null, advance_by: null, advance_reason: null };
  const sending = required(await moveBridge(tx, filter, 'SENDING', changes), 'A mint');
  await writeStep(tx, { bridge_transfer_id, name: 'send', chain, state: 'PENDING' });
  await base.sends(tx, sending);
  await emitBridge(tx, sending, places);
  await bookMintedFar(tx, sending, { ledger, done });
}
