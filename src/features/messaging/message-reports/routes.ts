import { Type } from 'typebox';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { errorEnvelope } from '#kernel/http/declare/envelope.ts';
import { Html } from '#kernel/http/declare/html.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { explained, HtmlPage, MessageField, Uuid } from '#kernel/http/declare/schema.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { DeliveryReport, MessageReports, SmsReports } from '#providers/messages/port.ts';

export type ReportDeps = Pick<Kernel, 'inboxes'> & {
  readonly whatsAppReports: MessageReports;
  readonly smsReports: SmsReports;
};

type Receive = (tx: Db, raw: Uint8Array) => Promise<number>;

const endpoint = endpoints(errorEnvelope);

/** Meta registers an address by `GET`, and reports to it by `POST`. */
export const reportRoutes = ({ whatsAppReports }: ReportDeps, receive: Receive): Route[] => [
  endpoint('GET /whatsapp/webhook', {
    name: 'callbacks.registerWhatsApp',
    auth: 'public',
    errors: ['FORBIDDEN'],
    summary: 'Registration of the WhatsApp webhook: its verify token proves the call',
    query: Type.Object({
      'hub.mode': Type.Literal('subscribe'),
      'hub.verify_token': Type.String({ maxLength: 200, examples: ['a-verify-token'] }),
      // It is sent back as it came, so it can be no markup.
      'hub.challenge': Type.String({ pattern: '^[\\w-]{1,200}$' }),
    }),
    reply: { 200: HtmlPage },
    async handler({ query }) {
      if (!whatsAppReports.mayRegister(query['hub.verify_token']))
        throw fail('FORBIDDEN', 'Wrong verify token');
      return new Html(200, query['hub.challenge']);
    },
  }),
  endpoint('POST /whatsapp/webhook', {
    name: 'callbacks.receiveWhatsApp',
    auth: 'public',
    summary: 'Webhook of WhatsApp; its signature proves the call',
    // What stands behind a call is its signature, and Meta sends many from one address.
    limit: 'authenticated',
    signed: whatsAppReports.isGenuine,
    reply: { 200: MessageField },
    atomic: true,
    fault: 'Failed to take the event',
    async handler({ request, db: tx }) {
      const reports = await receive(tx, request.raw);
      return { message: reports === 0 ? 'Event ignored' : 'Event received' };
    },
  }),
];

/** Twilio reports to the address that a message names. */
export const smsReportRoute = (
  { smsReports }: ReportDeps,
  receive: (tx: Db, report: DeliveryReport) => Promise<unknown>,
): Route =>
  endpoint('POST /sms/webhook', {
    name: 'callbacks.receiveSms',
    auth: 'public',
    summary: 'Webhook of Twilio: what became of an SMS; its signature proves the call',
    limit: 'authenticated',
    takesForm: true,
    signed: (raw, headers, path) => smsReports.isGenuine(raw, headers, path),
    query: Type.Object({ message: explained(Uuid, 'Our id of the message') }),
    reply: { 200: MessageField },
    atomic: true,
    fault: 'Failed to take the event',
    async handler({ request, query, db: tx }) {
      const report = smsReports.read(request.raw, query.message.toLowerCase());
      if (!report) return { message: 'Event ignored' };
      await receive(tx, report);
      return { message: 'Event received' };
    },
  });
