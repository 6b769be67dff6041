import { randomBytes } from 'node:crypto';
import { type PageLanguage, pageLanguage } from '#kernel/http/pages/language.ts';
import { objectId, uuidOfObjectId } from '#kernel/object-id.ts';
import { maskedPhone } from '#kernel/phone.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import type { BotNews, BotPlatform, ChatButton, Unread } from '#providers/messages/port.ts';
import { BOT_TEXTS } from './texts.ts';

/** What was understood of news, as the inbox keeps it: no code, no number that is shown, no words of a person. */
export interface UnderstoodNews {
  readonly platform: BotPlatform;
  readonly account_id: string;
  readonly address: string;
  readonly display_name: string | null;
  readonly handle: string | null;
  readonly language: PageLanguage;
  /** Where it was written. */
  readonly chat: string;
  readonly press?: string;
  readonly at?: string;
  readonly did:
    | { readonly kind: 'code'; readonly mark: string }
    | { readonly kind: 'press'; readonly link_id: string; readonly yes: boolean }
    | { readonly kind: 'unread'; readonly why: Unread }
    | { readonly kind: 'words' };
}

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 40 bits, in eight of Crockford's digits. */
export const newLinkCode = (): string =>
  Array.from(randomBytes(8), (byte) => DIGITS[byte & 31]).join('');

/** Eight digits, alone or as Telegram sends what a link has started; those that are mistaken for others are forgiven. */
const CODE = /^(?:\/start\s+)?([0-9A-Za-z]{8})$/;

export const codeMark = (vault: Vault, platform: BotPlatform, code: string): Buffer =>
  vault.fingerprint(code, `social code:${platform}`);

function codeIn(text: string): string | undefined {
  const [, found] = CODE.exec(text.trim()) ?? [];
  const code = found?.toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1');
  return code !== undefined && !code.includes('U') ? code : undefined;
}

export function understandNews(vault: Vault, platform: BotPlatform, news: BotNews): UnderstoodNews {
  const { account, at } = news;
  const { id, address, name, handle, language } = account;
  return {
    platform,
    account_id: id,
    address,
    display_name: name ?? null,
    handle: handle === undefined ? null : maskedHandle(handle),
    language: pageLanguage(undefined, languageTag(language)),
    chat: news.kind === 'unread' ? (news.chat ?? address) : address,
    ...(news.kind === 'press' && { press: news.press }),
    ...(at && { at: at.toISOString() }),
    did: didIn(vault, platform, news),
  };
}

/** What the platform says may be anything. */
const languageTag = (tag: string): string => (/^[a-z]{2}/i.test(tag) ? tag.slice(0, 2) : 'en');

function didIn(vault: Vault, platform: BotPlatform, news: BotNews): UnderstoodNews['did'] {
  if (news.kind === 'unread') return { kind: 'unread', why: news.why };
  if (news.kind === 'press') {
    const [, answer, id = ''] = /^([yn])\.(.+)$/.exec(news.button) ?? [];
    const link_id = uuidOfObjectId('sbl', id);
    return link_id === undefined
      ? { kind: 'words' }
      : { kind: 'press', link_id, yes: answer === 'y' };
  }
  const code = codeIn(news.text);
  if (code === undefined) return { kind: 'words' };
  return { kind: 'code', mark: codeMark(vault, platform, code).toString('hex') };
}

/** The two answers to the question about a link. */
export const answersTo = (link_id: string, language: PageLanguage): readonly ChatButton[] => [
  { id: `y.${objectId('sbl', link_id)}`, title: BOT_TEXTS[language].yes },
  { id: `n.${objectId('sbl', link_id)}`, title: BOT_TEXTS[language].no },
];

/** `@a•••e`, `+62 812 ••• 34`: enough for those who know it. */
function maskedHandle(handle: string): string {
  if (handle.startsWith('+')) return maskedPhone(handle);
  return `${handle.slice(0, 2)}•••${handle.length > 4 ? handle.slice(-1) : ''}`;
}
