import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { fail } from '#kernel/error.ts';
import { flatEnvelope } from '#kernel/http/declare/envelope.ts';
import { named } from '#kernel/http/declare/named.ts';
import { LIST_MAX, listQuery, pageOf } from '#kernel/http/declare/page.ts';
import { endpoints, Paged, type Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  flat,
  Id,
  integerInput,
  Nullable,
  Success,
  TextOrNull,
  Timestamp,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { digestOf, masked } from '#kernel/secrets/token.ts';
import { transact } from '#kernel/transact.ts';
import { rotateKey } from './rotate-key.ts';
import { deleteKey, insertKey, limitKey, listKeys, lockKey } from './store.ts';
import {
  ALL,
  apiKeyEndOf,
  apiKeyNameOf,
  ExpiringKey,
  invalidKey,
  keyLimitsOf,
  LimitedKey,
  mayGrant,
  NamedKey,
  Scopes,
} from './terms.ts';

export type KeyDeps = Pick<Kernel, 'clock' | 'credentials' | 'keyUsage'>;

const endpoint = endpoints(flatEnvelope);
const DAY_S = 24 * 3600;

const labels = { provider_name: Type.String(), created_at: Timestamp };
const made = { api_key: secret(Type.String()), ...labels };
const terms = { scopes: Type.Array(Type.String()), expires_at: Nullable(Timestamp) };
const limits = {
  allowed_ips: Nullable(Type.Array(Type.String({ examples: ['203.0.113.0/24'] }))),
  rate_per_minute: Nullable(Type.Integer()),
};
const OwnKey = flat({ ...made, user_id: Id, ...terms, ...limits });
const ListedKey = named('ApiKey', {
  api_key: explained(Type.String(), 'Its first and last characters'),
  ...labels,
  last_used: Nullable(Timestamp),
  usage_count: Type.Integer(),
  api_version: explained(Type.String(), 'The version of the API that it was made for'),
  ...terms,
  ...limits,
  last_ip: explained(TextOrNull, 'The address of its last caller'),
});
/** Any text: an impossible key is an unknown one. */
const WholeKey = Type.Object({ api_key: Type.String() });
const noSuchKey = () => fail('NOT_FOUND', 'API key not found');

/** Contract part 1, API keys; and rotation. */
export const keyRoutes = (deps: KeyDeps): Route[] => [
  ...makingRoutes(deps),
  listRoute(deps),
  deleteRoute(deps),
  rotateRoute(deps),
  limitRoute(deps),
];

const makingRoutes = ({ clock }: KeyDeps): Route[] => [
  endpoint('POST /keys/generate-sdk-key', {
    name: 'keys.generate',
    auth: 'public',
    summary: 'Creates an API key that belongs to no user.',
    limit: 'key-generation',
    body: NamedKey,
    reply: { 200: flat(made) },
    atomic: true,
    invalid: invalidKey,
    fault: 'Failed to generate API key',
    async handler({ body, db }) {
      const key = await insertKey(db, {
        provider_name: apiKeyNameOf(body),
        client_id: null,
        user_id: null,
        scopes: [ALL],
        created_at: clock.now(),
        expires_at: null,
      });
      return present(key);
    },
  }),

  endpoint('POST /keys/sdk-key', {
    name: 'keys.create',
    creates: 'api_key',
    auth: 'user',
    console: true,
    proof: true,
    summary: 'Creates an API key of the caller, optionally with scopes and an expiry.',
    keyOptional: true,
    limit: 'key-generation',
    body: Type.Object({
      ...NamedKey.properties,
      ...ExpiringKey.properties,
      ...LimitedKey.properties,
      scopes: Type.Optional(Scopes),
    }),
    reply: { 200: OwnKey },
    atomic: true,
    invalid: invalidKey,
    fault: 'Failed to generate API key',
    async handler({ caller, body, db, request }) {
      const { user_id, client_id } = caller;
      const { scopes = caller.key?.scopes ?? [ALL] } = body;
      mayGrant(scopes, caller);
      const key = present(
        await insertKey(db, {
          provider_name: apiKeyNameOf(body),
          client_id,
          user_id,
          scopes,
          created_at: clock.now(),
          expires_at: apiKeyEndOf(body, clock) ?? null,
          limits: keyLimitsOf(body, caller),
        }),
      );
      const details = { provider_name: key.provider_name, scopes };
      await logActivity(db, { action: 'API_KEY_CREATED', actor: caller, details, request });
      return { ...key, user_id };
    },
  }),
];

const listRoute = ({ keyUsage }: KeyDeps): Route =>
  endpoint('GET /keys/sdk-key', {
    name: 'keys.list',
    auth: 'user',
    console: true,
    summary: "Lists the caller's API keys, newest first.",
    limit: 'key-listing',
    query: Type.Object(listQuery),
    reply: { 200: Type.Object({ success: Success, data: Type.Array(ListedKey) }) },
    fault: 'Failed to list API keys',
    async handler({ caller, query: { limit = LIST_MAX, before }, db }) {
      await keyUsage.flush();
      const found = await listKeys(db, caller.user_id, { limit: limit + 1, before });
      const { rows, next_before } = pageOf(found, limit, ({ key_id }) => key_id);
      const data = rows.map(({ key_prefix, key_suffix, ...row }) => ({
        api_key: masked(key_prefix, key_suffix),
        ...row,
      }));
      return new Paged({ data }, next_before);
    },
  });

const deleteRoute = ({ credentials }: KeyDeps): Route =>
  endpoint('DELETE /keys/sdk-key/{api_key}', {
    name: 'keys.delete',
    auth: 'user',
    errors: ['NOT_FOUND'],
    summary: "Deletes one of the caller's API keys for good.",
    limit: 'key-deletion',
    params: WholeKey,
    reply: { 200: flat({ message: Type.String(), deleted_key: Type.String() }) },
    fault: 'Failed to delete API key',
    async handler({ caller, params, db, request }) {
      const deleted = await transact(db, async (tx) => {
        const gone = await deleteKey(tx, caller.user_id, params.api_key);
        if (!gone) throw noSuchKey();
        const { key_prefix, key_suffix, provider_name } = gone;
        const details = { key: masked(key_prefix, key_suffix), provider_name };
        await logActivity(tx, { action: 'API_KEY_DELETED', actor: caller, details, request });
        return details.key;
      });
      // After the commit: from here on no process can read and cache the key again.
      credentials.forget('key', digestOf(params.api_key).toString('hex'));
      return { message: 'API key deleted successfully', deleted_key: deleted };
    },
  });

const rotateRoute = ({ clock, credentials }: KeyDeps): Route =>
  endpoint('POST /keys/sdk-key/{api_key}/rotate', {
    name: 'keys.rotate',
    auth: 'user',
    errors: ['NOT_FOUND', 'CONFLICT'],
    summary:
      "Replaces one of the caller's API keys; the old one works until the overlap has passed.",
    limit: 'key-generation',
    params: WholeKey,
    body: Type.Object({
      ...ExpiringKey.properties,
      ...LimitedKey.properties,
      overlap_seconds: Type.Optional(integerInput(0, 30 * DAY_S)),
    }),
    reply: {
      200: flat({ ...OwnKey.properties, replaced_key: Type.String(), replaced_until: Timestamp }),
    },
    atomic: true,
    invalid: invalidKey,
    fault: 'Failed to rotate API key',
    async handler({ caller, params, body, db, request }) {
      const { overlap_seconds = DAY_S } = body;
      const rotated = await rotateKey(db, {
        caller,
        api_key: params.api_key,
        overlapSeconds: overlap_seconds,
        end: apiKeyEndOf(body, clock),
        now: clock.now(),
        limits: body,
      });
      if (!rotated) throw noSuchKey();
      const { key, old } = rotated;
      const replaced_key = masked(old.key_prefix, old.key_suffix);
      const details = { key: replaced_key, provider_name: old.provider_name };
      await logActivity(db, { action: 'API_KEY_ROTATED', actor: caller, details, request });
      credentials.forget('key', digestOf(params.api_key).toString('hex'));
      return {
        ...present(key),
        user_id: caller.user_id,
        replaced_key,
        replaced_until: old.expires_at,
      };
    },
  });

const limitRoute = ({ credentials }: KeyDeps): Route =>
  endpoint('PATCH /keys/sdk-key/{api_key}', {
    name: 'keys.limit',
    auth: 'user',
    proof: true,
    errors: ['NOT_FOUND'],
    summary: "Changes from where one of the caller's API keys may be used, and how often.",
    params: WholeKey,
    body: LimitedKey,
    reply: { 200: Type.Object({ success: Success, data: ListedKey }) },
    fault: 'Failed to change API key',
    async handler({ caller, params, body, db, request }) {
      const { api_key } = params;
      const { key_id: _, ...changed } = await transact(db, async (tx) => {
        const key = await lockKey(tx, caller.user_id, api_key);
        if (!key) throw noSuchKey();
        mayGrant(key.scopes, caller);
        const set = keyLimitsOf(body, caller, key);
        const row = await limitKey(tx, key.key_id, set);
        const details = { key: masked(row.key_prefix, row.key_suffix), ...set };
        await logActivity(tx, { action: 'API_KEY_CHANGED', actor: caller, details, request });
        return row;
      });
      // After the commit: from here on no process can read and cache the former limits.
      credentials.forget('key', digestOf(api_key).toString('hex'));
      const { key_prefix, key_suffix, ...row } = changed;
      return { data: { ...row, api_key: masked(key_prefix, key_suffix) } };
    },
  });

function present(key: Awaited<ReturnType<typeof insertKey>>) {
  if (!key) throw fail('CONFLICT', 'This API key has already been rotated');
  const { api_key, provider_name, scopes, expires_at, created_at } = key;
  const { allowed_ips, rate_per_minute } = key;
  return {
    api_key,
    provider_name,
    scopes,
    expires_at,
    created_at,
    allowed_ips,
    rate_per_minute,
  };
}
