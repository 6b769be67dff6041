import { Buffer } from 'node:buffer';
import { createHmac, randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Config } from '#kernel/config/config.ts';
import type { Simulator, World } from '#sandbox/simulator.ts';
import { readFormBodies } from './forms.ts';
import { receive } from './inbox.ts';
import { faultOfSms, TwilioFilter, TwilioRequest } from './twilio-schema.ts';

type SmsConfig = Pick<Config, 'SMS_ACCOUNT' | 'SMS_TOKEN'>;

interface Sms {
  readonly sid: string;
  readonly to: string;
  readonly from: string | null;
  readonly messaging_service_sid: string | null;
  readonly body: string;
  readonly status: 'queued' | 'delivered' | 'undelivered';
  readonly error_code: number | null;
  /** RFC 2822. */
  readonly date_created: string;
}

const PROVIDER = 'sms';
const ROOT = '/2010-04-01/Accounts/:account';
const PAGE_MAX = 1000;
/** A number that takes no messages: known by its report alone. */
const UNREACHABLE = { number: '+15005550009', code: 30_003 };

/** Twilio's messages; like the real one it takes the same message twice, but can be asked. */
export const smsSimulator = (config: SmsConfig): Simulator => ({
  provider: PROVIDER,
  prefix: '/sms',
  refusal: (status, code, message) => errorBody(status, Number(code) || 20_429, message),
  wire(server, world) {
    readFormBodies(server);
    server.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) =>
      refuse(reply, error.statusCode ?? 500, 20_001, error.message),
    );
    const { SMS_ACCOUNT: account, SMS_TOKEN: token } = config;
    const expected = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`;
    server.addHook<{ Params: { account: string } }>('preValidation', async (request, reply) => {
      const { headers, params } = request;
      if (headers.authorization !== expected || params.account !== account)
        return refuse(reply, 401, 20_003, 'Authenticate');
    });
    server.get(`${ROOT}.json`, async () => ({
      sid: account,
      friendly_name: 'Sandbox',
      status: 'active',
      type: 'Full',
      uri: `/2010-04-01/Accounts/${account}.json`,
    }));
    creation(server, world, config);
    reading(server, world, account);
  },
});

function creation(server: FastifyInstance, world: World, config: SmsConfig): void {
  server.post<{ Body: TwilioRequest }>(
    `${ROOT}/Messages.json`,
    { schema: { body: TwilioRequest } },
    async ({ body }, reply) => {
      const fault = faultOfSms(body);
      if (fault) return refuse(reply, 400, ...fault);
      const { To: to = '', From, MessagingServiceSid, Body: text = '', StatusCallback } = body;
      const sid = `SM${randomUUID().replaceAll('-', '')}`;
      const isLost = to === UNREACHABLE.number;
      const sms: Sms = {
        sid,
        to,
        from: From ?? null,
        messaging_service_sid: MessagingServiceSid ?? null,
        body: text,
        status: isLost ? 'undelivered' : 'delivered',
        error_code: isLost ? UNREACHABLE.code : null,
        date_created: world.clock.now().toUTCString(),
      };
      await world.records.insert(PROVIDER, 'sms', sid, sms);
      if (!isLost) await receive(world, { channel: 'sms', reference: sid, to, text });
      if (StatusCallback) report(world, config, StatusCallback, sms);
      const accepted = { ...sms, status: 'queued' as const, error_code: null };
      return reply.code(201).send(shown(config.SMS_ACCOUNT, accepted));
    },
  );
}

/** Tells the address that the request names, signed as Twilio does: over the address and the sorted fields. */
function report(world: World, config: SmsConfig, url: string, sms: Sms): void {
  const fields = {
    AccountSid: config.SMS_ACCOUNT,
    From: sms.from ?? '',
    MessageSid: sms.sid,
    MessageStatus: sms.status,
    To: sms.to,
    ...(sms.error_code !== null && { ErrorCode: String(sms.error_code) }),
  };
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  const signed = (secret: string) => ({
    'content-type': 'application/x-www-form-urlencoded',
    'x-twilio-signature': createHmac('sha1', secret)
      .update(url + sorted.flat().join(''))
      .digest('base64'),
  });
  void world.callbacks.deliver(PROVIDER, {
    url,
    headers: signed(config.SMS_TOKEN),
    body: new URLSearchParams(fields).toString(),
    resign: signed,
  });
}

function reading(server: FastifyInstance, world: World, account: string): void {
  server.get<{ Querystring: TwilioFilter }>(
    `${ROOT}/Messages.json`,
    { schema: { querystring: TwilioFilter } },
    async ({ query }) => {
      const size = Math.min(Number(query.PageSize ?? '50'), PAGE_MAX) || 1;
      const page = Number(query.Page ?? '0');
      const { To: to, From: from } = query;
      const where = { ...(to !== undefined && { to }), ...(from !== undefined && { from }) };
      const all = await world.records.list<Sms>(PROVIDER, 'sms', { limit: PAGE_MAX, where });
      const found = all.filter((sms) => isSentWithin(sms, query));
      const messages = found.slice(page * size, (page + 1) * size);
      const at = (number: number) => {
        const search = new URLSearchParams({ ...query, PageSize: `${size}`, Page: `${number}` });
        return `/2010-04-01/Accounts/${account}/Messages.json?${search}`;
      };
      return {
        messages: messages.map((sms) => shown(account, sms)),
        page,
        page_size: size,
        start: page * size,
        end: page * size + Math.max(messages.length - 1, 0),
        uri: at(page),
        first_page_uri: at(0),
        previous_page_uri: page === 0 ? null : at(page - 1),
        next_page_uri: found.length > (page + 1) * size ? at(page + 1) : null,
      };
    },
  );

  server.get<{ Params: { sid: string } }>(`${ROOT}/Messages/:sid`, async ({ params }, reply) => {
    const sms = await world.records.get<Sms>(PROVIDER, 'sms', params.sid.replace(/\.json$/, ''));
    return sms ? shown(account, sms) : missing(reply);
  });
  server.delete<{ Params: { sid: string } }>(`${ROOT}/Messages/:sid`, async ({ params }, reply) => {
    const removed = await world.records.remove(PROVIDER, 'sms', params.sid.replace(/\.json$/, ''));
    return removed ? reply.code(204).send() : missing(reply);
  });
}

/** By whole days, or to the second where the filter names a time. */
function isSentWithin({ date_created }: Sms, filter: TwilioFilter): boolean {
  const at = new Date(date_created).toISOString();
  const { DateSent: on, 'DateSent>': from, 'DateSent<': until } = filter;
  const upTo = (limit: string) => at.slice(0, limit.length);
  if (on !== undefined && !at.startsWith(on.slice(0, 10))) return false;
  if (from !== undefined && upTo(from) < from.replace(/Z$/, '')) return false;
  return until === undefined || upTo(until) <= until;
}

/** The whole resource. */
const shown = (account: string, sms: Sms) => ({
  ...sms,
  account_sid: account,
  api_version: '2010-04-01',
  date_sent: sms.status === 'queued' ? null : sms.date_created,
  date_updated: sms.date_created,
  direction: 'outbound-api',
  error_message: null,
  num_media: '0',
  num_segments: String(Math.ceil(sms.body.length / 153)),
  price: null,
  price_unit: 'USD',
  subresource_uris: { media: `/2010-04-01/Accounts/${account}/Messages/${sms.sid}/Media.json` },
  uri: `/2010-04-01/Accounts/${account}/Messages/${sms.sid}.json`,
});

const errorBody = (status: number, code: number, message: string) => ({
  code,
  message,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
});
const refuse = (reply: FastifyReply, status: number, code: number, message: string) =>
  reply.code(status).send(errorBody(status, code, message));
const missing = (reply: FastifyReply) =>
  refuse(reply, 404, 20_404, 'The requested resource was not found');
