import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '#kernel/config/config.ts';
import type { Simulator } from '#sandbox/simulator.ts';
import { FcmRequest } from './fcm-schema.ts';
import { receive } from './inbox.ts';
import { tokenEndpoint } from './push-token-simulator.ts';

type PushConfig = Pick<Config, 'PUSH_PROJECT'> & Parameters<typeof tokenEndpoint>[2];

/** A device that has uninstalled the app. */
const GONE = 'unregistered-device';

/** Firebase Cloud Messaging; a repetition of a collapse key replaces what the device shows. */
export const pushSimulator = (config: PushConfig): Simulator => ({
  provider: 'push',
  prefix: '/push',
  refusal: (status, code, message) => rpcBody(status, code, message),
  wire(server, world) {
    const accepts = tokenEndpoint(server, world, config);
    server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) =>
      rpcError(reply, error.statusCode ?? 500, 'INVALID_ARGUMENT', error.message),
    );
    const admit = async (
      { params, headers }: FastifyRequest<{ Params: { project: string } }>,
      reply: FastifyReply,
    ) => {
      if (!(await accepts(headers.authorization)))
        return rpcError(reply, 401, 'UNAUTHENTICATED', 'Request had invalid credentials.');
      if (params.project !== config.PUSH_PROJECT)
        return rpcError(reply, 403, 'PERMISSION_DENIED', 'Permission denied');
      return undefined;
    };
    // A doubled colon is how the router spells one: `messages:send`.
    server.post<{ Params: { project: string }; Body: FcmRequest }>(
      '/v1/projects/:project/messages::send',
      { schema: { body: FcmRequest }, preValidation: admit },
      async ({ params, body: { message, validate_only } }, reply) => {
        const { token, topic, condition, notification = {}, data, android } = message;
        const targets = [token, topic, condition].filter((target) => target !== undefined);
        const [to = ''] = targets;
        if (targets.length !== 1)
          return rpcError(reply, 400, 'INVALID_ARGUMENT', 'Exactly one target is required');
        if (to === GONE)
          return rpcError(
            reply,
            404,
            'NOT_FOUND',
            'Requested entity was not found.',
            'UNREGISTERED',
          );
        const name = `projects/${params.project}/messages/${randomUUID()}`;
        if (validate_only) return { name: `projects/${params.project}/messages/fake_message_id` };
        await receive(world, {
          channel: 'push',
          reference: android?.collapse_key ?? name,
          to,
          ...(notification.title !== undefined && { subject: notification.title }),
          text: notification.body ?? JSON.stringify(data ?? {}),
        });
        return { name };
      },
    );
  },
});

/** `errorCode` is FCM's own, beside Google's status. */
const rpcBody = (code: number, status: string, message: string, errorCode?: string) => ({
  error: {
    code,
    status,
    message,
    ...(errorCode !== undefined && { details: [{ '@type': FCM_ERROR, errorCode }] }),
  },
});
const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';

const rpcError = (
  reply: FastifyReply,
  ...[code, status, message, errorCode]: Parameters<typeof rpcBody>
) => reply.code(code).send(rpcBody(code, status, message, errorCode));
