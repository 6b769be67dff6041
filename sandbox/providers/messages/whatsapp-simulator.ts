import { Buffer } from 'node:buffer';
import type { FastifyReply } from 'fastify';
import type { Config } from '#kernel/config/config.ts';
import { PREFIXES, WhatsAppMessage } from '#providers/messages/wire.ts';
import type { Simulator } from '#sandbox/simulator.ts';
import { receive } from './inbox.ts';

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
        if (!copiesItsCode(body))
          return graphError(reply, 400, 132_000, 'Number of parameters does not match');
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

/** What the phone shows; the wording of an authentication template is the provider's. */
function textOf(message: WhatsAppMessage): string {
  if (message.type === 'text') return message.text.body;
  const [{ parameters }, button] = message.template.components;
  const [{ text }] = parameters;
  return button === undefined ? text : `${text} is your verification code.`;
}

/** Behind the button there must be the code that the text shows. */
function copiesItsCode(message: WhatsAppMessage): boolean {
  if (message.type === 'text') return true;
  const [shown, button] = message.template.components;
  return button === undefined || button.parameters[0].text === shown.parameters[0].text;
}

const graphError = (reply: FastifyReply, status: number, code: number, message: string) =>
  reply.code(status).send({ error: { message, type: 'OAuthException', code } });
