import { THE_SERVICE } from '#kernel/access/requester.ts';
import type { Db } from '#kernel/db/db.ts';
import { AppError } from '#kernel/error.ts';
import { alreadyLocalised } from '#kernel/localised.ts';
import { ours } from '#kernel/wording.ts';
import type { BotReply } from '#providers/messages/port.ts';
import type { SocialBotDeps } from './deps.ts';
import type { SocialLink } from './link-store.ts';
import { BOT_TEXTS, type BotTexts } from './texts.ts';
import type { UnderstoodNews } from './understand.ts';
import { lastHeard } from './writer-store.ts';

/** WhatsApp takes what is no template for so long after the person has written. */
const OPEN_MS = 24 * 3_600_000;

type Listener = Pick<UnderstoodNews, 'platform' | 'address'>;

/** Queues what a bot says; nothing where the platform would not take it any more, or no messages go to that number. */
export async function sendReply(
  { messages, clock }: Pick<SocialBotDeps, 'messages' | 'clock'>,
  tx: Db,
  { platform, address }: Listener,
  { reply, wroteAt }: { readonly reply: BotReply; readonly wroteAt: Date },
): Promise<void> {
  const { text, buttons } = reply;
  const validUntil = new Date(wroteAt.getTime() + OPEN_MS);
  if (platform === 'whatsapp' && validUntil <= clock.now()) return;
  try {
    await messages.send(tx, THE_SERVICE, {
      kind: 'news',
      channel: platform,
      to: address,
      purpose: 'social-bot',
      words: alreadyLocalised({ text: [ours(text)] }),
      chat: buttons === undefined ? {} : { buttons },
      ...(platform === 'whatsapp' && { validUntil }),
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'NUMBER_NOT_SERVED') throw error;
  }
}

/** Says it to the account of a link, in its language. */
export async function tellAccount(
  deps: Pick<SocialBotDeps, 'messages' | 'clock'>,
  tx: Db,
  link: SocialLink,
  what: 'takenByAnother' | 'linked' | 'notTheirs',
): Promise<void> {
  const { platform, account_id, address, language } = link;
  if (account_id === null || address === null || language === null) return;
  const wroteAt = await lastHeard(tx, { platform, account_id });
  if (wroteAt === undefined) return;
  const text = BOT_TEXTS[language][what] satisfies BotTexts['linked'];
  await sendReply(deps, tx, { platform, address }, { reply: { text }, wroteAt });
}
