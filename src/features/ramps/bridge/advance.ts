import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { requireVersion } from '#kernel/http/declare/if-match.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { notAllowedIn } from '#kernel/http/declare/state-fields.ts';
import type { BridgeDeps } from './deps.ts';
import { emitBridge } from './events.ts';
import { attemptId } from './moves.ts';
import { type BridgeRow, bridgeInScope, editBridge, moveBridge, writeStep } from './store.ts';

interface Acting {
  readonly bridge_transfer_id: string;
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

/** It may be paid ahead: its burn is final, and nothing is on its way to the recipient. */
const ADVANCEABLE = {
  status: 'STALLED' as const,
  stalled_in: 'MINTING',
  is_burn_final: true,
  is_minted: false,
};

async function stalled(tx: Db, { bridge_transfer_id }: Acting): Promise<BridgeRow> {
  const row = await bridgeInScope(tx, {}, bridge_transfer_id);
  if (!row) throw fail('NOT_FOUND', 'Bridge transfer not found');
  return row;
}

/** Why it cannot be: the mint has come, or the burn is not final. */
function refuseAdvance(row: BridgeRow): never {
  if (row.status !== 'STALLED') throw notAllowedIn(row.status, ['STALLED']);
  throw fail('INVALID_STATUS', 'Its burn is not final yet, or it is on its way to the recipient', {
    status: 409,
    details: { status: row.status, allowed: ['STALLED'] },
  });
}

/** One operator proposes to pay the source from the treasury on its own chain. */
export async function proposeAdvance(
  tx: Db,
  acting: Acting & { readonly reason: string },
): Promise<BridgeRow> {
  const { bridge_transfer_id, caller, request, reason } = acting;
  const filter = { bridge_transfer_id, ...ADVANCEABLE };
  const changes = { advance_reason: reason, advance_by: caller.user_id };
  const row = await editBridge(tx, filter, changes);
  if (!row) return refuseAdvance(await stalled(tx, acting));
  const details = { bridge_transfer_id: row.object_id, reason };
  await logActivity(tx, { action: 'BRIDGE_ADVANCE_PROPOSED', actor: caller, details, request });
  return row;
}

/**
 * Another operator agrees: in one conditional update with the state, so that a transfer is never paid ahead and sent on.
 * A mint that comes later is the platform's.
 */
export async function approveAdvance(
  { places, effects, advances }: BridgeDeps,
  tx: Db,
  acting: Acting & { readonly version: number },
): Promise<BridgeRow> {
  const { bridge_transfer_id, caller, request, version } = acting;
  const before = await stalled(tx, acting);
  if (before.status === 'ADVANCED' && before.advanced_by === caller.user_id) return before;
  if (before.status !== 'STALLED' || before.advance_by === null) return refuseUnproposed(before);
  if (before.advance_by === caller.user_id)
    throw fail('SECOND_PERSON_REQUIRED', 'The operator who proposed it cannot approve it');
  requireVersion(before.version, version);
  const { advance_by } = before;
  const filter = { bridge_transfer_id, ...ADVANCEABLE, advance_by, version };
  const row = await moveBridge(tx, filter, 'ADVANCED', { advanced_by: caller.user_id });
  if (!row) return refuseAdvance(await stalled(tx, acting));
  const { object_id, from_chain: chain, advance_attempt } = row;
  await writeStep(tx, { bridge_transfer_id, name: 'advance', chain, state: 'PENDING' });
  await effects.begin(tx, advances, attemptId(object_id, advance_attempt), { left: {} });
  const details = { bridge_transfer_id: object_id };
  await logActivity(tx, { action: 'BRIDGE_ADVANCE_APPROVED', actor: caller, details, request });
  await emitBridge(tx, row, places);
  return row;
}

function refuseUnproposed(row: BridgeRow): never {
  if (row.status !== 'STALLED') throw notAllowedIn(row.status, ['STALLED']);
  throw fail('INVALID_STATUS', 'It was not proposed to pay it ahead', {
    status: 409,
    details: { status: row.status, allowed: ['STALLED'] },
  });
}
