import { Buffer } from 'node:buffer';
import { done, type HttpCall, type Outcome } from '#kernel/provider-call.ts';
import { callMessageProvider } from './http-sender.ts';
import type { MessageSender, OutgoingMessage, SentMessage } from './port.ts';
import { SmsList, type SmsMessage, SmsSent, senderDigitsOf } from './wire.ts';

export interface SmsSettings {
  /** `https://api.twilio.com` */
  readonly url: () => string;
  readonly account: string;
  readonly token: string;
  readonly from: string;
  /** Where Twilio says what became of that message; nothing where it could not call there. */
  readonly reportTo?: ((messageId: string) => string | undefined) | undefined;
}

/** SMS by Twilio, which knows no repetitions: after a try without an answer it is asked first. */
export function smsSender({ url, account, token, from, reportTo }: SmsSettings): MessageSender {
  const authorization = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`;
  const request = (call: Pick<HttpCall, 'name' | 'method' | 'body'>, query = ''): HttpCall => ({
    ...call,
    url: `${url()}/2010-04-01/Accounts/${encodeURIComponent(account)}/Messages.json${query}`,
    headers: { authorization, 'content-type': 'application/x-www-form-urlencoded' },
  });

  async function find({
    to,
    text,
    at,
  }: OutgoingMessage): Promise<Outcome<SentMessage | undefined>> {
    const number = `+${senderDigitsOf(to)}`;
    const query = new URLSearchParams({ To: number, PageSize: '50' });
    const call = request({ name: 'sms find', method: 'GET' }, `?${query}`);
    const outcome = await callMessageProvider(call, SmsList);
    if (outcome.kind !== 'done') return outcome;
    const since = Math.floor(at.getTime() / 1000) * 1000;
    const found = outcome.value.messages.find(
      (sms) => sms.to === number && sms.body === text && Date.parse(sms.date_created) >= since,
    );
    return done(found && { reference: found.sid });
  }

  return async (message, { again = false } = {}) => {
    if (again) {
      const known = await find(message);
      if (known.kind !== 'done') return known;
      if (known.value) return done(known.value);
    }
    const report = reportTo?.(message.id);
    const form: SmsMessage = {
      To: `+${senderDigitsOf(message.to)}`,
      From: from,
      Body: message.text,
      ...(report !== undefined && { StatusCallback: report }),
    };
    const body = new URLSearchParams(form).toString();
    const outcome = await callMessageProvider(
      request({ name: 'sms send', method: 'POST', body }),
      SmsSent,
    );
    return outcome.kind === 'done' ? done({ reference: outcome.value.sid }) : outcome;
  };
}
