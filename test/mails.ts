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

/** How many mails an address got. */
export async function countMails(h: Harness, to: string): Promise<number> {
  await h.drain();
  return (await h.messages(to)).length;
}

/** The link in a mail, and the token that it carries. */
export function linkIn({ text }: { readonly text: string }): { link: string; token: string } {
  const link = /^Link: (\S+)$/m.exec(text)?.[1] ?? '';
  return { link, token: new URL(link).searchParams.get('token') ?? '' };
}
