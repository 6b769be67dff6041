import { Buffer } from 'node:buffer';
import type { FastifyReply } from 'fastify';
import type { Simulator } from '#sandbox/simulator.ts';
import type { Config } from '#src/config.ts';
import { receive } from './inbox.ts';
import { PREFIXES, WhatsAppMessage } from './wire.ts';

/** Meta's code for a number that has no WhatsApp. */
const UNDELIVERABLE = { number: '15005550001', code: 131_026 };

/** WhatsApp's Cloud API; drops a message that it has by its `biz_opaque_callback_data`. */
export const whatsAppSimulator = (
  config: Pick<Config, 'WHATSAPP_PHONE_ID' | 'WHATSAPP_TOKEN'>,
): Simulator => ({
  provider: 'whatsapp',
  prefix: PREFIXES.whatsapp,
  wire(server, world) {
    server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) =>
      graphError(reply, error.statusCode ?? 500, 100, error.message),
    );
    server.post<{ Params: { phone_id: string }; Body: WhatsAppMessage }>(
      '/v20.0/:phone_id/messages',
      { schema: { body: WhatsAppMessage } },
      async ({ params, headers, body }, reply) => {
        if (headers.authorization !== `Bearer ${config.WHATSAPP_TOKEN}`)
          return graphError(reply, 401, 190, 'Invalid OAuth access token.');
        if (params.phone_id !== config.WHATSAPP_PHONE_ID)
          return graphError(reply, 400, 100, 'Object does not exist');
        if (body.to === UNDELIVERABLE.number)
          return graphError(reply, 400, UNDELIVERABLE.code, 'Message undeliverable');
        const reference = body.biz_opaque_callback_data;
        const to = `+${body.to}`;
        await receive(world, { channel: 'whatsapp', reference, to, text: textOf(body) });
        return {
          messaging_product: 'whatsapp',
          contacts: [{ input: body.to, wa_id: body.to }],
          messages: [{ id: `wamid.${Buffer.from(reference).toString('base64url')}` }],
        };
      },
    );
  },
});

const textOf = (message: WhatsAppMessage): string =>
  message.type === 'text' ? message.text.body : message.template.components[0].parameters[0].text;

const graphError = (reply: FastifyReply, status: number, code: number, message: string) =>
  reply.code(status).send({ error: { message, type: 'OAuthException', code } });
