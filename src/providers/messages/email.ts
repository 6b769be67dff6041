import { createTransport } from 'nodemailer';
import { done, measured, type Outcome, refused, unknown } from '#kernel/provider-call.ts';
import type { MessageSender, OutgoingMessage, SentMessage } from './port.ts';

export interface MailSettings {
  /** `smtp://user:password@host:587`; also what else nodemailer takes in a connection URL. */
  readonly url: () => string;
  readonly from: string;
}

const TIMEOUT_MS = 10_000;

/** E-mail by SMTP. The Message-ID is made of our id, so mail stores know a repetition. */
export const mailSender =
  ({ url, from }: MailSettings): MessageSender =>
  (message) =>
    measured('email send', async () => {
      const transport = createTransport({
        url: url(),
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
        disableFileAccess: true,
        disableUrlAccess: true,
      });
      try {
        const { messageId } = await transport.sendMail(mailOf(message, from));
        return done({ reference: messageId });
      } catch (error) {
        return outcomeOf(error as SmtpError);
      } finally {
        transport.close();
      }
    });

function mailOf({ id, at, to, subject, text, html }: OutgoingMessage, from: string) {
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    from,
    // As an object it is one address with any content, never a list.
    to: { name: '', address: to },
    subject: subject ?? '',
    text,
    ...(html === undefined ? {} : { html }),
    date: at,
    messageId: `<${id}@${domain}>`,
    headers: { 'auto-submitted': 'auto-generated' },
  };
}

interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
}

/** Servers repeat addresses in their messages, so only codes are kept. */
function outcomeOf({ code, responseCode }: SmtpError): Outcome<SentMessage> {
  if (responseCode === undefined)
    return code === 'EENVELOPE'
      ? refused('NO_RECIPIENT', 'The address is no e-mail address')
      : unknown(code ?? 'SMTP');
  // 53x is about our own log-in, which an operator can mend while the message waits.
  const final = responseCode >= 500 && Math.floor(responseCode / 10) !== 53;
  return final
    ? refused(`SMTP_${responseCode}`, 'The mail server does not take this message', responseCode)
    : unknown(`SMTP ${responseCode}`);
}
