import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { emit } from '#kernel/events/emit.ts';
import type { EventType } from '#kernel/events/event-type.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import {
  endpoints,
  type KeyCaller,
  type RequestFacts,
  type UserCaller,
} from '#kernel/http/declare/route.ts';
import { explained, Uuid } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Outbound } from '#kernel/outbound/outbound.ts';
import type { CeilingShares } from '#kernel/quota/shares.ts';
import type { EnvelopeOptions } from './body.ts';
import { announce, findEndpoint, lockEndpoint, type WebhookEndpoint } from './endpoint-store.ts';
import { type Manager, managerOf } from './manager.ts';
import { type EndpointData, endpointInEvents, withoutQuery } from './presenters.ts';

/** The envelope of this feature's endpoints. */
export const webhookEndpointRoute = endpoints(codedEnvelope);

export interface RouteDeps extends Pick<Kernel, 'clock' | 'vault'>, EnvelopeOptions {
  readonly outbound: Outbound;
  readonly shares: Pick<CeilingShares, 'enter'>;
}

export const EndpointId = Type.Object({ endpoint_id: Uuid });
export const SECRET = explained(Type.String(), '`whsec_`: verify what arrives with it');

type Caller = KeyCaller | UserCaller;

/** Throws NOT_FOUND where there is no such endpoint for that caller. */
export async function requireEndpoint(
  db: Db,
  caller: Caller,
  { endpoint_id }: { readonly endpoint_id: string },
  how: 'locked' | 'read' = 'read',
): Promise<{ readonly row: WebhookEndpoint; readonly manager: Manager }> {
  const manager = managerOf(caller);
  const find = how === 'locked' ? lockEndpoint : findEndpoint;
  const row = await find(db, manager.scope, endpoint_id);
  if (!row) throw fail('NOT_FOUND', 'There is no such webhook endpoint');
  return { row, manager };
}

export interface WebhookChange {
  /** The changed endpoint. */
  readonly row: WebhookEndpoint;
  readonly action: string;
  readonly caller: Caller;
  readonly request: RequestFacts;
  readonly deps: Pick<RouteDeps, 'vault'>;
}

/** Logs and emits a change, and announces it to the process that serves the endpoint. */
export async function recordChange(
  tx: Db,
  { row, action, caller, request, deps }: WebhookChange,
  type: EventType<EndpointData>,
): Promise<void> {
  const { endpoint_id, client_id, url } = row;
  const actor = 'user_id' in caller ? caller : null;
  const details = { endpoint_id, url: withoutQuery(url) };
  await logActivity(tx, { action, actor, client_id, request, details });
  emit(tx, type, { client_id, id: endpoint_id, data: endpointInEvents(row, deps.vault) });
  await announce(tx, endpoint_id);
}
