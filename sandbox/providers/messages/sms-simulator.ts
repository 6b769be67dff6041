import { Buffer } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import type { Config } from '#kernel/config/config.ts';
import { PREFIXES, SmsMessage } from '#providers/messages/wire.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { readFormBodies } from './forms.ts';
import { receive } from './inbox.ts';

interface Sms {
  readonly sid: string;
  readonly to: string;
  readonly from: string;
  readonly body: string;
  readonly status: 'queued' | 'delivered';
  readonly date_created: string;
}

const PROVIDER = 'sms';
const PATH = '/2010-04-01/Accounts/:account/Messages.json';
/** The provider's own test number that is never valid. */
const INVALID_NUMBER = '+15005550001';
const PAGE_MAX = 1000;

const Which = Type.Object({
  To: Type.Optional(Type.String()),
  PageSize: Type.Optional(Type.String({ pattern: '^\\d{1,4}$' })),
});

/** Twilio's messages; like the real one it takes the same message twice, but can be asked. */
export const smsSimulator = (config: Pick<Config, 'SMS_ACCOUNT' | 'SMS_TOKEN'>): Simulator => ({
  provider: PROVIDER,
  prefix: PREFIXES.sms,
  wire(server, world) {
    readFormBodies(server);
    server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) =>
      refuse(reply, error.statusCode ?? 500, 21_603, error.message),
    );
    const { SMS_ACCOUNT: account, SMS_TOKEN: token } = config;
    const expected = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`;
    server.addHook<{ Params: { account: string } }>('preHandler', async (request, reply) => {
      const { headers, params } = request;
      if (headers.authorization !== expected || params.account !== account)
        return refuse(reply, 401, 20_003, 'Authenticate');
    });
    messages(server, world);
  },
});

function messages(server: FastifyInstance, world: World): void {
  server.post<{ Body: SmsMessage }>(
    PATH,
    { schema: { body: SmsMessage } },
    async ({ body: { To: to, From: from, Body: body } }, reply) => {
      if (to === INVALID_NUMBER)
        return refuse(reply, 400, 21_211, "The 'To' number is not a valid phone number.");
      const sid = `SM${randomUUID().replaceAll('-', '')}`;
      const date_created = world.clock.now().toUTCString();
      const sms: Sms = { sid, to, from, body, status: 'queued', date_created };
      await world.records.insert(PROVIDER, 'sms', sid, sms);
      await receive(world, { channel: 'sms', reference: sid, to, text: body });
      return reply.code(201).send(sms);
    },
  );

  server.get<{ Querystring: Static<typeof Which> }>(
    PATH,
    { schema: { querystring: Which } },
    async ({ query: { To: to, PageSize = '50' } }) => {
      const limit = Math.min(Number(PageSize), PAGE_MAX);
      const where = to === undefined ? {} : { to };
      return { messages: await world.records.list<Sms>(PROVIDER, 'sms', { limit, where }) };
    },
  );
}

const refuse = (reply: FastifyReply, status: number, code: number, message: string) =>
  reply.code(status).send({
    code,
    message,
    more_info: `https://www.twilio.com/docs/errors/${code}`,
    status,
  });
