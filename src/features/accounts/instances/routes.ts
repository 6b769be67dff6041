import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { LIST_MAX, listQuery, pageOf } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import { IdInput, MessageField, Name, Timestamp } from '#kernel/http/declare/schema.ts';
import { emitInstance, INSTANCE } from './events.ts';
import {
  deleteInstance,
  findClientOfInstance,
  insertInstance,
  instancesOf,
  renameInstance,
} from './store.ts';

const endpoint = endpoints(errorEnvelope);

const Owned = named('OwnedInstance', {
  ...INSTANCE,
  ekyc_status: Type.String(),
  client_code: Type.String(),
  country_code: Type.String(),
});
const Created = named('CreatedInstance', {
  message: Type.String(),
  instance: Type.Object({ ...INSTANCE, created_at: Timestamp, updated_at: Timestamp }),
});

/**
 * Contract: Clients and instances, the last four rows. Only admins of the owning client change or
 * delete an instance, so here the operator's reach ends at its own client too.
 */
export const instanceRoutes = (): Route[] => [
  listOwn(),

  endpoint('POST /clients/create-instance', {
    name: 'instances.create',
    creates: 'instance',
    auth: 'admin',
    errors: ['CLIENT_NOT_FOUND', 'CONFLICT'],
    summary: "Creates an instance of the caller's client; its name is unique there",
    body: Type.Object({ instance_name: Name }),
    invalid: 'Instance name is required',
    reply: { 201: Created },
    atomic: true,
    fault: 'Failed to create instance',
    async handler({ caller, body, request, db }) {
      const { client_id } = caller;
      if (!(await findClientOfInstance(db, client_id)))
        throw fail('CLIENT_NOT_FOUND', 'Client ID not found for this user');
      const instance = await insertInstance(db, client_id, body.instance_name);
      if (!instance) throw fail('CONFLICT', 'Instance name already exists for this client');
      emitInstance(db, 'created', instance);
      const details = { instance_id: instance.instance_id, instance_name: body.instance_name };
      await logActivity(db, { action: 'INSTANCE_CREATE', actor: caller, details, request });
      return { message: 'Instance created successfully', instance };
    },
  }),

  endpoint('PUT /clients/{instance_id}/update-alias', {
    name: 'instances.rename',
    auth: 'admin',
    errors: ['NOT_FOUND', 'ACCESS_DENIED', 'CONFLICT'],
    summary: 'Changes the display name of an instance of the caller’s client',
    params: Type.Object({ instance_id: IdInput }),
    body: Type.Object({ alias: Name }),
    invalid: 'Alias and instance ID are required',
    reply: { 200: MessageField },
    atomic: true,
    fault: 'Failed to update alias',
    async handler({ caller, params, body, request, db }) {
      const { instance_id } = params;
      const { alias } = body;
      const renamed = await renameInstance(db, { client_id: caller.client_id, instance_id, alias });
      // The same for an instance that does not exist, so that callers do not learn which exist.
      if (!renamed) throw fail('ACCESS_DENIED', 'Access denied to this instance');
      emitInstance(db, 'updated', renamed);
      const details = { instance_id, alias };
      await logActivity(db, { action: 'INSTANCE_UPDATE_ALIAS', actor: caller, details, request });
      return { message: 'Alias updated successfully' };
    },
  }),

  endpoint('DELETE /clients/clients/{instance_id}', {
    name: 'instances.delete',
    auth: 'admin',
    errors: ['NOT_FOUND', 'ACCESS_DENIED'],
    summary: 'Deletes an instance of the caller’s client for good',
    params: Type.Object({ instance_id: IdInput }),
    invalid: 'Instance ID must be a positive integer',
    reply: { 200: MessageField },
    atomic: true,
    fault: 'Failed to delete instance',
    async handler({ caller, params, request, db }) {
      const { instance_id } = params;
      const deleted = await deleteInstance(db, caller.client_id, instance_id);
      if (!deleted) throw fail('NOT_FOUND', 'Instance not found or not in your client');
      emitInstance(db, 'deleted', deleted);
      const details = { instance_id, instance_name: deleted.instance_name };
      await logActivity(db, { action: 'INSTANCE_DELETE', actor: caller, details, request });
      return { message: 'Instance deleted successfully' };
    },
  }),
];

const listOwn = (): Route =>
  endpoint('GET /clients/my-instances', {
    name: 'instances.list',
    auth: 'admin',
    summary: "The instances of the caller's client, newest first",
    query: Type.Object(listQuery),
    reply: { 200: Type.Object({ instances: Type.Array(Owned) }) },
    fault: 'Failed to list instances',
    async handler({ caller, query, db }) {
      const { limit = LIST_MAX, before } = query;
      const client = await findClientOfInstance(db, caller.client_id);
      if (!client) throw fail('CLIENT_NOT_FOUND', 'Client not found for this user');
      const { ekyc_status, client_code, country_code } = client;
      const page = { client_id: caller.client_id, limit: limit + 1, before };
      const { rows, next_before } = pageOf(
        await instancesOf(db, page),
        limit,
        ({ instance_id }) => instance_id,
      );
      const shared = { ekyc_status, client_code, country_code };
      const instances = rows.map((instance) => ({ ...instance, ...shared }));
      return new Paged({ instances }, next_before);
    },
  });
