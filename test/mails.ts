import type { Body, Harness } from './harness.ts';

/** The newest mail to an address, of those whose subject matches. */
export async function mailTo(h: Harness, to: string, subject = /./): Promise<Body> {
  await h.drain();
  const mails = await h.messages(to);
  const mail = mails.find((one: Body) => subject.test(one.subject));
  if (mail === undefined)
    throw new Error(`No mail to ${to} like ${subject}: ${mails.map((one: Body) => one.subject)}`);
  return mail;
}

/** The newest code sent to an address or phone; an invalid one if there was none. */
export async function codeTo(h: Harness, to: string): Promise<string> {
  await h.drain();
  const sent: Body[] = await h.messages(to);
  const codes = sent.map(({ text }) => /^Code: (\d{6})$/m.exec(text)?.[1]);
  return codes.find((code) => code !== undefined) ?? 'none';
}

/** How many mails an address got. */
export async function countMails(h: Harness, to: string): Promise<number> {
  await h.drain();
  return (await h.messages(to)).length;
}

/** The link in a mail; empty where there is none. */
export const linkOf = ({ text }: { readonly text: string }): string =>
  /^Link: (\S+)$/m.exec(text)?.[1] ?? '';

/** The link in a mail, and the token that it carries. */
export function linkIn(mail: { readonly text: string }): { link: string; token: string } {
  const link = linkOf(mail);
  return { link, token: new URL(link).searchParams.get('token') ?? '' };
}
