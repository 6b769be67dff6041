import { randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Config } from '#kernel/config/config.ts';
import { PREFIXES, PushMessage } from '#providers/messages/wire.ts';
import type { Simulator } from '#sandbox/simulator.ts';
import { receive } from './inbox.ts';
import { tokenEndpoint } from './push-token-simulator.ts';

type PushConfig = Pick<Config, 'PUSH_PROJECT'> & Parameters<typeof tokenEndpoint>[2];

/** A device that has uninstalled the app. */
const GONE = 'unregistered-device';

/** Firebase Cloud Messaging; a repetition of a collapse key replaces what the device shows. */
export const pushSimulator = (config: PushConfig): Simulator => ({
  provider: 'push',
  prefix: PREFIXES.push,
  wire(server, world) {
    const accepts = tokenEndpoint(server, world, config);
    server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) =>
      rpcError(reply, error.statusCode ?? 500, 'INVALID_ARGUMENT', error.message),
    );
    // A doubled colon is how the router spells one: `messages:send`.
    server.post<{ Params: { project: string }; Body: PushMessage }>(
      '/v1/projects/:project/messages::send',
      { schema: { body: PushMessage } },
      async ({ params, headers, body: { message } }, reply) => {
        if (!(await accepts(headers.authorization)))
          return rpcError(reply, 401, 'UNAUTHENTICATED', 'Request had invalid credentials.');
        if (params.project !== config.PUSH_PROJECT)
          return rpcError(reply, 403, 'PERMISSION_DENIED', 'Permission denied');
        if (message.token === GONE)
          return rpcError(reply, 404, 'NOT_FOUND', 'Requested entity was not found.');
        const { title, body } = message.notification;
        await receive(world, {
          channel: 'push',
          reference: message.android.collapse_key,
          to: message.token,
          subject: title,
          text: body,
        });
        return { name: `projects/${params.project}/messages/${randomUUID()}` };
      },
    );
  },
});

const rpcError = (reply: FastifyReply, code: number, status: string, message: string) =>
  reply.code(code).send({ error: { code, status, message } });
