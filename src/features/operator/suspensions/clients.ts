import { lockClient, reinstateClient, suspendClient } from '#features/accounts/clients/clients.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { OPERATOR_CLIENT_ID } from '#kernel/access/authenticator.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { SuspensionOrder } from './order.ts';
import { type OutstandingDeps, voidProposedChanges } from './outstanding.ts';
import { suspensionStateOf } from './state.ts';
import { insertSuspension, lastSuspensions } from './store.ts';

type Deps = Pick<OutstandingDeps, 'approvals' | 'credentials' | 'messages'>;

/**
 * Suspends a client; a suspended one stays suspended. Voids what its admins have proposed, for good, also for a
 * client that an operator suspended by SQL; the answer lists it. Throws CLIENT_NOT_FOUND and FORBIDDEN.
 */
export async function orderClientSuspension(
  deps: Deps,
  tx: Db,
  client_id: number,
  order: SuspensionOrder,
) {
  if (client_id === OPERATOR_CLIENT_ID)
    throw fail('FORBIDDEN', 'The operator’s own organisation cannot be stopped');
  const client = await held(tx, client_id);
  const left = { orders_voided: await voidProposedChanges(deps, tx, { client_id }, order) };
  await deps.approvals.cancelApprovals(tx, { client_id });
  if (!client.is_open)
    return { ...(await present(tx, client_id, client.client_status, true)), left };
  const client_status = await suspendClient(tx, client_id);
  await record(deps, tx, client_id, { ...order, what: 'stopped' });
  return { ...(await present(tx, client_id, client_status, true)), left };
}

/** Reinstates a client; one that is not suspended stays as it is. Throws CLIENT_NOT_FOUND. */
export async function orderClientReinstatement(
  deps: Deps,
  tx: Db,
  client_id: number,
  order: SuspensionOrder,
) {
  const client = await held(tx, client_id);
  if (client.is_open) return present(tx, client_id, client.client_status, false);
  const client_status = await reinstateClient(tx, client_id);
  await record(deps, tx, client_id, { ...order, what: 'let_in' });
  return present(tx, client_id, client_status, false);
}

async function held(tx: Db, client_id: number) {
  const client = await lockClient(tx, client_id);
  if (!client) throw fail('CLIENT_NOT_FOUND', 'Client not found');
  return client;
}

async function record(
  { credentials }: Deps,
  tx: Db,
  client_id: number,
  { what, reason, caller, request }: SuspensionOrder & { readonly what: 'stopped' | 'let_in' },
) {
  const by = { by_user_id: caller.user_id, by_operator: true };
  await insertSuspension(tx, 'client_id', client_id, { what, reason, ...by });
  const action = what === 'stopped' ? 'CLIENT_STOPPED' : 'CLIENT_LET_IN';
  await logActivity(tx, { action, actor: caller, client_id, details: { reason }, request });
  credentials.forget('client', client_id);
}

async function present(tx: Db, client_id: number, client_status: string, is_stopped: boolean) {
  const last = await lastSuspensions(tx, 'client_id', [client_id]);
  return { client_id, client_status, ...suspensionStateOf(is_stopped, last.get(client_id)) };
}
