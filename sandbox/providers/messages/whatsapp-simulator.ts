import { randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { keepEntry } from './chats.ts';
import { isAnswered } from './graph-versions.ts';
import { receive } from './inbox.ts';
import { isWindowOpen } from './whatsapp-people.ts';
import { buttonsOf, faultOfMessage, GraphMessage, shownText } from './whatsapp-schema.ts';
import { deliverWhatsApp, type WhatsAppConfig } from './whatsapp-webhooks.ts';

const PROVIDER = 'whatsapp';
/** Meta's code for a number that has no WhatsApp: at once for the first number, by webhook for the second. */
const UNDELIVERABLE = { code: 131_026, at_once: '15005550001', later: '15005550002' };

interface Params {
  readonly version: string;
  readonly phone_id: string;
}

/** WhatsApp's Cloud API. Like the real one it sends again what is sent again, and reports by webhook. */
export const whatsAppSimulator = (config: WhatsAppConfig): Simulator => ({
  provider: PROVIDER,
  prefix: '/whatsapp',
  refusal: (_status, code, message) => graphBody(Number(code) || 1, message),
  wire(server, world) {
    server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) =>
      graphError(reply, error.statusCode ?? 500, 100, error.message),
    );
    server.addHook<{ Params: Params }>('preValidation', async ({ params, headers, url }, reply) => {
      if (!isAnswered(params.version))
        return graphError(reply, 400, 2500, `Unknown path components: ${url}`);
      if (headers.authorization !== `Bearer ${config.WHATSAPP_TOKEN}`)
        return graphError(reply, 401, 190, 'Invalid OAuth access token.');
      if (params.phone_id !== config.WHATSAPP_PHONE_ID)
        return graphError(reply, 400, 100, 'Object does not exist');
    });
    server.post<{ Params: Params; Body: GraphMessage }>(
      '/:version(^v\\d+\\.\\d+$)/:phone_id/messages',
      { schema: { body: GraphMessage } },
      async ({ body }, reply) => {
        if (body.status === 'read') return { success: true };
        const fault = faultOfMessage(body);
        if (fault) return graphError(reply, 400, ...fault);
        const number = await numberOf(world, body);
        if (number === undefined)
          return graphError(reply, 400, 100, 'Invalid parameter: recipient');
        if (number === UNDELIVERABLE.at_once)
          return graphError(reply, 400, UNDELIVERABLE.code, 'Message undeliverable');
        const id = `wamid.${randomBytes(24).toString('base64')}`;
        const lost = await lossOf(world, number, body);
        if (lost === undefined) await show(world, id, number, body);
        report(world, config, { id, number, lost, callbackData: body.biz_opaque_callback_data });
        return {
          messaging_product: 'whatsapp',
          contacts: [
            body.to === undefined
              ? { input: body.recipient, user_id: body.recipient }
              : { input: body.to, wa_id: number },
          ],
          messages: [{ id }],
        };
      },
    );
  },
});

/** Whom it goes to: a number, or the person of an id at this business. */
async function numberOf(world: World, { to, recipient }: GraphMessage) {
  if (to !== undefined) return to.replace(/\D/g, '');
  const known = await world.records.get<{ number: string }>(PROVIDER, 'scoped', recipient ?? '');
  return known?.number;
}

/** Why it does not arrive: no WhatsApp there, or buttons for a person who has not written for a day. */
async function lossOf(world: World, number: string, { type }: GraphMessage) {
  if (number === UNDELIVERABLE.later) return undeliverable;
  if (type === 'interactive' && !(await isWindowOpen(world, number))) return tooLate;
  return undefined;
}

async function show(
  world: World,
  reference: string,
  number: string,
  message: GraphMessage,
): Promise<void> {
  const text = shownText(message);
  await receive(world, { channel: 'whatsapp', reference, to: `+${number}`, text });
  const buttons = buttonsOf(message);
  await keepEntry(world, { platform: PROVIDER, person: number, by: 'bot', text, buttons });
}

interface Sent {
  readonly id: string;
  readonly number: string;
  readonly lost: typeof undeliverable | undefined;
  readonly callbackData: string | undefined;
}

/** Tells the app what became of it, while the answer is still on its way or later. */
function report(
  world: World,
  config: WhatsAppConfig,
  { id, number, lost, callbackData }: Sent,
): void {
  const status = {
    id,
    status: lost ? 'failed' : 'delivered',
    timestamp: String(world.clock.seconds()),
    recipient_id: number,
    ...(callbackData !== undefined && { biz_opaque_callback_data: callbackData }),
    ...(lost && { errors: [lost] }),
  };
  void deliverWhatsApp(world, config, 'whatsapp/webhook', { statuses: [status] });
}

const undeliverable = {
  code: UNDELIVERABLE.code,
  title: 'Message undeliverable',
  message: 'Message undeliverable',
  error_data: { details: 'Message Undeliverable.' },
};

const tooLate = {
  code: 131_047,
  title: 'Re-engagement message',
  message: 'Re-engagement message',
  error_data: {
    details:
      'Message failed to send because more than 24 hours have passed since the customer last replied to this number.',
  },
};

const graphBody = (code: number, message: string) => ({
  error: { message, type: 'OAuthException', code, fbtrace_id: randomBytes(8).toString('hex') },
});
const graphError = (reply: FastifyReply, status: number, code: number, message: string) =>
  reply.code(status).send(graphBody(code, message));
