import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { sameSecret } from '#kernel/secrets/token.ts';
import type { DeliveryReport } from './port.ts';

const fieldsOf = (raw: Uint8Array): [string, string][] => [
  ...new URLSearchParams(Buffer.from(raw).toString('utf8')),
];

/** Whether Twilio sent that form to that address: an HMAC-SHA1 over the address and the sorted fields, by the token. */
export function isFromTwilio(
  token: string,
  address: string,
  raw: Uint8Array,
  headers: IncomingHttpHeaders,
): boolean {
  const given = headers['x-twilio-signature'];
  if (token === '' || typeof given !== 'string') return false;
  const sorted = fieldsOf(raw).sort(([a], [b]) => (a < b ? -1 : 1));
  const text = address + sorted.flat().join('');
  return sameSecret(given, createHmac('sha1', token).update(text).digest('base64'));
}

/** Twilio adds statuses; all but these say that it has the message. */
const FAILED = ['undelivered', 'failed'];

/** What became of that message of ours; nothing where the form is none of a message. */
export function smsReport(raw: Uint8Array, messageId: string): DeliveryReport | undefined {
  const { MessageSid: sid, MessageStatus: status, ErrorCode } = Object.fromEntries(fieldsOf(raw));
  if (sid === undefined || status === undefined) return undefined;
  const of = { name: `${sid}:${status}`, messageId, reference: sid };
  if (!FAILED.includes(status)) return { ...of, kind: 'taken' };
  const code = /^\d{1,6}$/.test(ErrorCode ?? '') ? `TWILIO_${ErrorCode}` : 'TWILIO';
  return { ...of, kind: 'failed', code };
}
