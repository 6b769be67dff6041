import type { LegListener } from '#features/chain-wallets/crosschain/crosschain.ts';
import type { Db } from '#kernel/db/db.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import type { BridgeDeps } from './deps.ts';
import { emitBridge } from './events.ts';
import { bookFee, bookMinted } from './postings.ts';
import { freeRouteDay } from './route-store.ts';
import { type BridgeRow, editBridge, lockBridge, moveBridge, writeStep } from './store.ts';

type Leg = Parameters<LegListener['moved']>[2];
type LegStep = Parameters<LegListener['moved']>[3];

/** The id of an effect of a transfer: its attempts are counted. */
export const attemptId = (object_id: string, attempt: number): string => `${object_id}:${attempt}`;

/** Follows the transfer between two chains that carries one of the bridge, in the transaction of each of its steps. */
export const legListener = (deps: BridgeDeps): LegListener => ({
  async moved(tx, action, leg, details) {
    if (action === 'CROSSCHAIN_BURN_REFUSED') await burnRefused(deps, tx, leg, details);
    if (action === 'CROSSCHAIN_BURNED') await burned(deps, tx, leg);
    if (action === 'CROSSCHAIN_BURN_LOST') await burnLost(deps, tx, leg);
    if (action === 'CROSSCHAIN_MINTED') await minted(deps, tx, leg);
    if (action === 'CROSSCHAIN_MINT_LOST') await mintLost(tx, leg);
    if (action === 'CROSSCHAIN_FEE_PAID') await bookFee(tx, await rowOf(tx, leg));
  },
});

const rowOf = (tx: Db, { log_id }: Leg): Promise<BridgeRow> => lockBridge(tx, { leg_id: log_id });

/** The move, or the reason why the transaction is undone: the effect behind it looks again. */
export function required(row: BridgeRow | undefined, what: string): BridgeRow {
  if (!row) throw new Error(`${what} does not fit the state of its bridge transfer`);
  return row;
}

/** The burn is proven never to have been: nothing left the source. */
async function burnRefused(deps: BridgeDeps, tx: Db, leg: Leg, details: LegStep): Promise<void> {
  const { bridge_transfer_id, operation, from_chain } = await rowOf(tx, leg);
  const failure = {
    code: String(details?.['code'] ?? 'NOT_BURNT'),
    message: String(details?.['message'] ?? 'Nothing was burnt'),
    retryable: true,
    at: deps.clock.now().toISOString(),
  };
  const filter = { bridge_transfer_id, status: 'BURNING' as const };
  const row = required(await moveBridge(tx, filter, 'FAILED', { failure }), 'A refused burn');
  await writeStep(tx, { bridge_transfer_id, name: 'burn', chain: from_chain, state: 'FAILED' });
  await deps.legs.giveUp(tx, leg);
  await freeRouteDay(tx, bridge_transfer_id);
  await giveBackLimits(tx, { kind: 'bridge', operation });
  await emitBridge(tx, row, deps.places);
}

async function burned(deps: BridgeDeps, tx: Db, leg: Leg): Promise<void> {
  const { bridge_transfer_id, object_id, from_chain: chain } = await rowOf(tx, leg);
  const filter = { bridge_transfer_id, status: 'BURNING' as const };
  const row = required(await moveBridge(tx, filter, 'BURNED'), 'A burn');
  const step = { bridge_transfer_id, name: 'burn', chain, hash: leg.burn_tx_hash } as const;
  await writeStep(tx, { ...step, state: 'PENDING' });
  await deps.effects.begin(tx, deps.attests, attemptId(object_id, 1), { left: {} });
  await emitBridge(tx, row, deps.places);
}

/** The chain has taken the burn back, so the tokens are at the source: it is burnt again. */
async function burnLost(deps: BridgeDeps, tx: Db, leg: Leg): Promise<void> {
  const { bridge_transfer_id, from_chain: chain } = await rowOf(tx, leg);
  const filter = {
    bridge_transfer_id,
    status: ['BURNED', 'STALLED'] as const,
    is_burn_final: false,
  };
  const row = required(await moveBridge(tx, filter, 'BURNING'), 'A lost burn');
  await writeStep(tx, { bridge_transfer_id, name: 'burn', chain, state: 'PENDING' });
  await deps.legs.burnAgain(tx, leg);
  await emitBridge(tx, row, deps.places);
}

/**
 * It is at the platform's address. One that was paid ahead meanwhile ends there: what has come late is the platform's.
 * Minted again after a reorganisation it changes nothing.
 */
async function minted(deps: BridgeDeps, tx: Db, leg: Leg): Promise<void> {
  const { places, legs, effects, sends } = deps;
  const before = await rowOf(tx, leg);
  const { bridge_transfer_id, object_id, to_chain: chain } = before;
  const place = await legs.mintOf(tx, leg);
  await writeStep(tx, { bridge_transfer_id, name: 'mint', chain, state: 'DONE', ...place });
  if (before.is_minted) return;
  if (before.status === 'ADVANCED') {
    const filter = { bridge_transfer_id, status: 'ADVANCED' as const };
    const late = required(await editBridge(tx, filter, { is_minted: true }), 'A late mint');
    return bookMinted(tx, late);
  }
  const filter = { bridge_transfer_id, status: ['MINTING', 'STALLED'] as const };
  const changes = { is_minted: true, stalled_in: null, advance_by: null, advance_reason: null };
  const row = required(await moveBridge(tx, filter, 'SENDING', changes), 'A mint');
  await writeStep(tx, { bridge_transfer_id, name: 'send', chain, state: 'PENDING' });
  await effects.begin(tx, sends, attemptId(object_id, row.send_attempt), { left: {} });
  await emitBridge(tx, row, places);
  await bookMinted(tx, row);
}

/** It is minted again, to the platform: what was sent on since then stays sent. */
async function mintLost(tx: Db, leg: Leg): Promise<void> {
  const { bridge_transfer_id, to_chain: chain } = await rowOf(tx, leg);
  await writeStep(tx, { bridge_transfer_id, name: 'mint', chain, state: 'PENDING' });
}
