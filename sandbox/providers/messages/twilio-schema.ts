import { type Static, Type } from 'typebox';

/**
 * What Twilio takes at `POST /2010-04-01/Accounts/{sid}/Messages.json`, by its reference alone
 * (twilio.com/docs/messaging/api/message-resource). What it does not name is left out.
 */
export const TwilioRequest = Type.Object({
  To: Type.Optional(Type.String()),
  From: Type.Optional(Type.String()),
  MessagingServiceSid: Type.Optional(Type.String()),
  Body: Type.Optional(Type.String()),
  StatusCallback: Type.Optional(Type.String()),
});
export type TwilioRequest = Static<typeof TwilioRequest>;

export const TwilioFilter = Type.Object({
  To: Type.Optional(Type.String()),
  From: Type.Optional(Type.String()),
  DateSent: Type.Optional(Type.String()),
  'DateSent>': Type.Optional(Type.String()),
  'DateSent<': Type.Optional(Type.String()),
  PageSize: Type.Optional(Type.String({ pattern: '^\\d{1,4}$' })),
  Page: Type.Optional(Type.String({ pattern: '^\\d{1,6}$' })),
});
export type TwilioFilter = Static<typeof TwilioFilter>;

/** The provider's own test numbers: one that is never valid, and one that cannot be reached. */
const INVALID_NUMBER = '+15005550001';
const BODY_MAX = 1600;

/** What is wrong with a message, as a code of Twilio's and its text; nothing where it is right. */
export function faultOfSms(sms: TwilioRequest): readonly [number, string] | undefined {
  const { To = '', From, MessagingServiceSid, Body = '' } = sms;
  if (To === '') return [21_604, "A 'To' phone number is required."];
  if (!From && !MessagingServiceSid) return [21_603, "A 'From' phone number is required."];
  if (!/^\+\d{5,20}$/.test(To) || To === INVALID_NUMBER)
    return [21_211, `Invalid 'To' Phone Number`];
  if (Body === '') return [21_602, 'Message body is required.'];
  if (Body.length > BODY_MAX)
    return [21_617, 'The concatenated message body exceeds the 1600 character limit'];
  return undefined;
}
