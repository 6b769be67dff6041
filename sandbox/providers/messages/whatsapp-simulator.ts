import { createHmac, randomBytes } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { Config } from '#kernel/config/config.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { isAnswered } from './graph-versions.ts';
import { receive } from './inbox.ts';
import { faultOfMessage, GraphMessage, shownText } from './whatsapp-schema.ts';

type WhatsAppConfig = Pick<
  Config,
  `WHATSAPP_${'PHONE_ID' | 'TOKEN' | 'APP_SECRET' | 'VERIFY_TOKEN'}`
>;

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
        const number = (body.to ?? '').replace(/\D/g, '');
        if (number === UNDELIVERABLE.at_once)
          return graphError(reply, 400, UNDELIVERABLE.code, 'Message undeliverable');
        const id = `wamid.${randomBytes(24).toString('base64')}`;
        if (number !== UNDELIVERABLE.later) await show(world, id, number, body);
        report(world, config, { id, number, callbackData: body.biz_opaque_callback_data });
        return {
          messaging_product: 'whatsapp',
          contacts: [{ input: body.to, wa_id: number }],
          messages: [{ id }],
        };
      },
    );
  },
});

const show = (world: World, reference: string, number: string, message: GraphMessage) =>
  receive(world, { channel: 'whatsapp', reference, to: `+${number}`, text: shownText(message) });

interface Sent {
  readonly id: string;
  readonly number: string;
  readonly callbackData: string | undefined;
}

/** Tells the app what became of it, while the answer is still on its way or later. */
function report(world: World, config: WhatsAppConfig, { id, number, callbackData }: Sent): void {
  const isLost = number === UNDELIVERABLE.later;
  const status = {
    id,
    status: isLost ? 'failed' : 'delivered',
    timestamp: String(world.clock.seconds()),
    recipient_id: number,
    ...(callbackData !== undefined && { biz_opaque_callback_data: callbackData }),
    ...(isLost && { errors: [undeliverable] }),
  };
  const metadata = {
    display_phone_number: '15550000000',
    phone_number_id: config.WHATSAPP_PHONE_ID,
  };
  const value = { messaging_product: 'whatsapp', metadata, statuses: [status] };
  const entry = [{ id: '102290129340398', changes: [{ field: 'messages', value }] }];
  const body = escaped(JSON.stringify({ object: 'whatsapp_business_account', entry }));
  const signed = (secret: string) => ({
    'content-type': 'application/json',
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  });
  void world.callbacks.deliver(PROVIDER, {
    url: `${world.serviceUrl()}/whatsapp/webhook`,
    headers: signed(config.WHATSAPP_APP_SECRET),
    body,
    resign: signed,
  });
}

const undeliverable = {
  code: UNDELIVERABLE.code,
  title: 'Message undeliverable',
  message: 'Message undeliverable',
  error_data: { details: 'Message Undeliverable.' },
};

/** Meta escapes what is not ASCII, and signs that. */
const escaped = (json: string): string =>
  json.replace(
    /[\u0080-\uffff]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const graphBody = (code: number, message: string) => ({
  error: { message, type: 'OAuthException', code, fbtrace_id: randomBytes(8).toString('hex') },
});
const graphError = (reply: FastifyReply, status: number, code: number, message: string) =>
  reply.code(status).send(graphBody(code, message));
