import { phoneOfMember } from '#features/accounts/rewards/rewards.ts';
import type { Db } from '#kernel/db/db.ts';
import { maskedPhone } from '#kernel/phone.ts';
import type { BotReply } from '#providers/messages/port.ts';
import type { SocialBotDeps } from './deps.ts';
import { emitSocialLink } from './events.ts';
import {
  isAccountTaken,
  lockLinkByCode,
  lockLinkOfAccount,
  moveSocialLink,
  type SocialLink,
} from './link-store.ts';
import { statusAt } from './shapes.ts';
import { BOT_TEXTS, type BotTexts } from './texts.ts';
import { answersTo, type UnderstoodNews } from './understand.ts';
import { type BotWriter, heard, putWrongCodes } from './writer-store.ts';

/** Wrong codes of an account within an hour; then it gets no answer, and nothing of it counts, for an hour. */
const WRONG_MAX = 10;
const HOUR_MS = 3_600_000;

/** What came of it in a word, and what the bot says. */
export interface BotHeard {
  readonly word: string;
  readonly reply?: BotReply;
}

type HearDeps = Pick<SocialBotDeps, 'clock'>;

/** Acts on what an account has done towards a bot of ours, in the transaction that closes it. */
export async function hear(
  deps: HearDeps,
  tx: Db,
  news: UnderstoodNews,
  wroteAt: Date,
): Promise<BotHeard> {
  const now = deps.clock.now();
  const writer = await heard(tx, news, { wroteAt, now });
  if (writer.silent_until !== null && new Date(writer.silent_until) > now)
    return { word: 'silent' };
  const { did } = news;
  const texts = BOT_TEXTS[news.language];
  if (did.kind === 'unread') return { word: did.why, reply: { text: texts.unread[did.why] } };
  if (did.kind === 'words') return says(texts, 'help');
  if (did.kind === 'press') return hearAnswer(tx, news, { ...did, now });
  return hearCode(tx, news, { mark: Buffer.from(did.mark, 'hex'), writer, now });
}

type Sentence = {
  [K in keyof BotTexts]: BotTexts[K] extends string ? K : never;
}[keyof BotTexts];
const says = (texts: BotTexts, word: Sentence): BotHeard => ({
  word,
  reply: { text: texts[word] },
});

interface HeardCode {
  readonly mark: Buffer;
  readonly writer: BotWriter;
  readonly now: Date;
}

async function hearCode(tx: Db, news: UnderstoodNews, code: HeardCode): Promise<BotHeard> {
  const { platform, account_id, address, display_name, handle, language } = news;
  const { now } = code;
  const link = await lockLinkByCode(tx, platform, code.mark);
  const isOthers = link !== undefined && link.account_id !== null && link.account_id !== account_id;
  if (link === undefined || isOthers || statusAt(link, now) === 'EXPIRED')
    return wrongCode(tx, news, code);
  const texts = BOT_TEXTS[language];
  if (link.status === 'CONFIRMING') return says(texts, 'confirmInApp');
  if (link.status === 'ASKED') return question(tx, link, language);
  const account = { account_id, address, display_name, handle, language };
  if (await isAccountTaken(tx, news, link.userx_id)) {
    const ended_at = now.toISOString();
    await moveSocialLink(tx, link.link_id, { ...account, status: 'CONFLICT', ended_at });
    return says(texts, 'takenByAnother');
  }
  return question(
    tx,
    await moveSocialLink(tx, link.link_id, { ...account, status: 'ASKED' }),
    language,
  );
}

async function question(
  tx: Db,
  { link_id, userx_id }: SocialLink,
  language: UnderstoodNews['language'],
): Promise<BotHeard> {
  const member = maskedPhone(await phoneOfMember(tx, userx_id));
  const text = BOT_TEXTS[language].ask(member);
  return { word: 'asked', reply: { text, buttons: answersTo(link_id, language) } };
}

async function wrongCode(
  tx: Db,
  news: UnderstoodNews,
  { writer, now }: HeardCode,
): Promise<BotHeard> {
  const isFirst = new Date(writer.counted_from).getTime() + HOUR_MS <= now.getTime();
  const wrong_codes = isFirst ? 1 : writer.wrong_codes + 1;
  const isLast = wrong_codes >= WRONG_MAX;
  await putWrongCodes(tx, news, {
    wrong_codes,
    counted_from: isFirst ? now.toISOString() : writer.counted_from,
    silent_until: isLast ? new Date(now.getTime() + HOUR_MS).toISOString() : null,
  });
  return says(BOT_TEXTS[news.language], isLast ? 'tooManyCodes' : 'wrongCode');
}

interface HeardAnswer {
  readonly link_id: string;
  readonly yes: boolean;
  readonly now: Date;
}

/** A button counts for the account that was asked only; pressed again it says what it has done. */
async function hearAnswer(
  tx: Db,
  news: UnderstoodNews,
  { link_id, yes, now }: HeardAnswer,
): Promise<BotHeard> {
  const texts = BOT_TEXTS[news.language];
  const link = await lockLinkOfAccount(tx, link_id, news);
  const status = link && statusAt(link, now);
  if (status === 'ASKED') {
    if (yes) {
      await moveSocialLink(tx, link_id, { status: 'CONFIRMING' });
      return says(texts, 'confirmInApp');
    }
    const ended_at = now.toISOString();
    emitSocialLink(
      tx,
      'rejected',
      await moveSocialLink(tx, link_id, { status: 'REJECTED', ended_at }),
    );
    return says(texts, 'refused');
  }
  if (status === 'CONFIRMING' && yes) return says(texts, 'confirmInApp');
  if (status === 'REJECTED' && !yes) return says(texts, 'refused');
  return says(texts, status === 'LINKED' && yes ? 'linked' : 'over');
}
