import { Type } from 'typebox';
import type { CancelsApprovals } from '#features/accounts/approvals/approvals.ts';
import { endKeysOf, keysOf } from '#features/accounts/keys/keys.ts';
import { voidChangesOf } from '#features/accounts/pending-changes/pending-changes.ts';
import type { Messages } from '#features/messaging/messages/messages.ts';
import { endpointsOf, pauseEndpointsOf } from '#features/messaging/webhooks/webhooks.ts';
import { voidProposalsOf } from '#features/operator/adjustments/adjustments.ts';
import type { Db } from '#kernel/db/db.ts';
import { named } from '#kernel/http/declare/named.ts';
import { explained, Id, Uuid } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { SuspensionOrder } from './order.ts';

export type OutstandingDeps = Pick<Kernel, 'clock' | 'credentials' | 'vault'> & {
  readonly messages: Messages;
  readonly approvals: CancelsApprovals;
};

const VoidedChanges = Type.Array(Type.Object({ change_id: Id, user_id: Id, kind: Type.String() }));

/** Open proposals of a suspended client's admins, as the answer lists them. */
export const OutstandingOfClient = named('LeftByClient', {
  orders_voided: explained(
    VoidedChanges,
    'Changes of accounts that its admins had proposed; none takes effect',
  ),
});

const EndpointsOfUser = Type.Array(
  Type.Object({
    endpoint_id: Uuid,
    client_id: Id,
    url: Type.String(),
    status: Type.String(),
  }),
);

const KeysOfUser = Type.Array(
  Type.Object({
    key_id: Id,
    api_key: explained(Type.String(), 'Its first and last characters'),
    provider_name: Type.String(),
    scopes: Type.Array(Type.String()),
  }),
);

/** What somebody leaves behind, as answers list it. */
export const OUTSTANDING = {
  orders_voided: explained(
    VoidedChanges,
    'Changes of accounts that they had ordered or proposed; none takes effect',
  ),
  proposals_voided: explained(
    Type.Array(Uuid),
    'Corrections that they had proposed; none is booked',
  ),
  webhook_endpoints: EndpointsOfUser,
  keys: KeysOfUser,
};

/** Open proposals, endpoints and keys of a suspended user, as the answer lists them. */
export const OutstandingOfUser = named('LeftByUser', {
  ...OUTSTANDING,
  webhook_endpoints: explained(
    EndpointsOfUser,
    'Endpoints that they created; paused until another admin resumes them by POST /webhook-endpoints/{endpoint_id}/resume',
  ),
  keys: explained(
    KeysOfUser,
    'Keys that they had made and that still name the application; stop the user with `end_keys` to end them',
  ),
  keys_ended: Type.Integer(),
});

/**
 * Voids a user's open proposals and pauses their endpoints, in the transaction that suspends them; answers the list.
 */
export async function voidOutstanding(
  deps: OutstandingDeps,
  tx: Db,
  user_id: number,
  { caller, request, end_keys = false }: SuspensionOrder,
) {
  const by = { caller, request };
  const now = deps.clock.now();
  const orders_voided = await voidProposedChanges(deps, tx, { user_id }, by);
  await deps.approvals.cancelApprovals(tx, { user_id });
  const proposals_voided = await voidProposalsOf(tx, user_id, { ...by, now });
  await pauseEndpointsOf(deps, tx, user_id, by);
  const keys_ended = end_keys ? await endKeysOf(deps, tx, user_id) : 0;
  return {
    orders_voided,
    proposals_voided,
    webhook_endpoints: await endpointsOf(tx, user_id),
    keys: await keysOf(tx, user_id, now),
    keys_ended,
  };
}

/**
 * Voids changes that a user, or the users of a client, had ordered or proposed; answers them as the reply lists them.
 */
export async function voidProposedChanges(
  deps: Pick<OutstandingDeps, 'messages'>,
  tx: Db,
  of: Parameters<typeof voidChangesOf>[2],
  by: Parameters<typeof voidChangesOf>[3],
) {
  const changes = await voidChangesOf(deps, tx, of, by);
  return changes.map(({ change_id, user_id, kind }) => ({ change_id, user_id, kind }));
}
