import { Type } from 'typebox';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { decide } from '#kernel/access/attempts.ts';
import { type FreshProof, PROOF } from '#kernel/access/fresh-proof.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import {
  explained,
  integerInput,
  Nullable,
  stamped,
  Timestamp,
  Uuid,
} from '#kernel/http/declare/schema.ts';
import { secret } from '#kernel/http/declare/secret.ts';
import {
  EndpointId,
  type RouteDeps,
  recordChange,
  requireEndpoint,
  SECRET,
  webhookEndpointRoute,
} from './endpoint-route.ts';
import { updateSettings } from './endpoint-store.ts';
import { updated } from './event-types.ts';
import { managerOf } from './manager.ts';
import { sealing, withoutQuery } from './presenters.ts';
import { newSecret, rotated, valid } from './signature.ts';

const DAY_S = 86_400;

export type SecretDeps = RouteDeps & { readonly freshProof: FreshProof };

/** An endpoint's signing secret: rotated, or shown again. */
export const secretRoutes = (deps: SecretDeps): Route[] => [rotateRoute(deps), revealRoute(deps)];

const rotateRoute = (deps: RouteDeps): Route =>
  webhookEndpointRoute('POST /webhook-endpoints/{endpoint_id}/rotate-secret', {
    name: 'webhookEndpoints.rotateSecret',
    auth: 'either',
    console: 'proof',
    permit: managerOf,
    errors: ['NOT_FOUND', 'CONFLICT'],
    summary: 'Makes a new secret; the one before signs along for a day, or as long as is said',
    params: EndpointId,
    body: Type.Object({
      overlap_seconds: Type.Optional(
        explained(integerInput(0, 7 * DAY_S), '0 where the old one has leaked'),
      ),
    }),
    reply: {
      200: stamped({
        data: Type.Object({
          endpoint_id: Uuid,
          secret: secret(SECRET),
          old_secret_until: Timestamp,
        }),
      }),
    },
    atomic: true,
    fault: 'Failed to rotate a webhook secret',
    async handler({ caller, params, body, db, request }) {
      const { row: before } = await requireEndpoint(db, caller, params, 'locked');
      const { endpoint_id } = before;
      const now = deps.clock.now();
      const until = new Date(now.getTime() + (body.overlap_seconds ?? DAY_S) * 1000);
      const sealed = sealing(deps.vault, endpoint_id).secrets;
      const whsec = newSecret();
      const secrets = rotated(sealed.open(before.secrets_sealed), whsec, until, now);
      const settings = { ...before, secrets_sealed: sealed.seal(secrets) };
      const row = (await updateSettings(db, endpoint_id, settings)) ?? before;
      await recordChange(
        db,
        { row, deps, caller, request, action: 'WEBHOOK_SECRET_ROTATED' },
        updated,
      );
      return { data: { endpoint_id, secret: whsec, old_secret_until: until.toISOString() } };
    },
  });

/** For people only: a key proves no presence, and rotates the secret where it needs one. */
const revealRoute = (deps: SecretDeps): Route =>
  webhookEndpointRoute('POST /webhook-endpoints/{endpoint_id}/reveal-secret', {
    name: 'webhookEndpoints.revealSecret',
    auth: 'admin',
    proof: true,
    errors: ['NOT_FOUND', 'INVALID_PASSWORD', 'INVALID_CODE', 'FRESH_LOGIN_REQUIRED'],
    summary: 'Tells an endpoint’s secrets again, to an admin who proves to be there',
    params: EndpointId,
    body: Type.Object(PROOF),
    reply: {
      200: stamped({
        data: Type.Object({
          endpoint_id: Uuid,
          secrets: secret(
            Type.Array(
              Type.Object({
                secret: secret(SECRET),
                not_after: explained(Nullable(Timestamp), 'Until when an old one signs along'),
              }),
            ),
          ),
        }),
      }),
    },
    fault: 'Failed to reveal a webhook secret',
    async handler({ caller, params, body, db, request }) {
      await requireEndpoint(db, caller, params);
      const shown = await deps.freshProof.verify(db, { caller, request }, body);
      return decide(db, async (tx) => {
        const refusal = await shown(tx);
        if (refusal) return refusal;
        const { row } = await requireEndpoint(tx, caller, params);
        const { endpoint_id, client_id, url, secrets_sealed } = row;
        const secrets = sealing(deps.vault, endpoint_id).secrets.open(secrets_sealed);
        await logActivity(tx, {
          action: 'WEBHOOK_SECRET_REVEALED',
          actor: caller,
          client_id,
          request,
          details: { endpoint_id, url: withoutQuery(url) },
        });
        return { data: { endpoint_id, secrets: valid(secrets, deps.clock.now()) } };
      });
    },
  });
