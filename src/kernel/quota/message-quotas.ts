import type { Config } from '#kernel/config/config.ts';
import { networkOf } from '#kernel/network.ts';
import type { Requester } from '../access/requester.ts';
import type { Db } from '../db/db.ts';
import { destinationOf, digitsOf, readDialCodes } from './dial-codes.ts';
import {
  clientPartOfDay,
  DAY_MS,
  HOUR_MS,
  hintOfDay,
  QUARTER_MS,
  type QuotaLimit,
  type Quotas,
  quotasOf,
  tooMany,
} from './quota.ts';
import { type Quota, readSpent } from './quota-store.ts';

/**
 * Why a message is sent: a requested code; the first message to an address that a caller has
 * chosen; a link to reset a lost password; what the owner of an account must know; news that an app
 * shows anyway.
 */
export type MessageKind = 'code' | 'invitation' | 'reset' | 'notice' | 'news';

export interface MessageToSend {
  readonly kind: MessageKind;
  readonly channel: Channel;
  /** An e-mail address, a phone number, or the token of a device. */
  readonly to: string;
  readonly by: Requester;
}

const CEILINGS = {
  email: 'DAILY_EMAILS',
  sms: 'DAILY_SMS',
  whatsapp: 'DAILY_WHATSAPP',
  push: 'DAILY_PUSHES',
  telegram: 'DAILY_TELEGRAM',
} as const;
type Channel = keyof typeof CEILINGS;
type Settings = Pick<
  Config,
  'MOCK_MODE' | 'DIAL_CODES' | 'REWARDS_DIAL_CODE' | (typeof CEILINGS)[Channel]
>;

/** What a requester may have sent (decision 36). */
const REQUESTER_LIMITS: Record<MessageKind, readonly QuotaLimit[]> = {
  code: [
    { per: 'network', withinMs: QUARTER_MS, most: 300, strangers: 30 },
    { per: 'network', withinMs: DAY_MS, most: 5_000, strangers: 150 },
    { per: 'client', withinMs: DAY_MS, most: 50_000, strangers: 300 },
    { per: 'actor', withinMs: QUARTER_MS, most: 10 },
    { per: 'actor', withinMs: HOUR_MS, most: 30 },
  ],
  invitation: [
    { per: 'network', withinMs: HOUR_MS, most: 5_000, strangers: 100 },
    { per: 'network', withinMs: DAY_MS, most: 20_000, strangers: 300 },
    { per: 'client', withinMs: DAY_MS, most: 50_000, strangers: 300 },
  ],
  reset: [
    { per: 'network', withinMs: QUARTER_MS, most: 300, strangers: 100 },
    { per: 'client', withinMs: DAY_MS, most: 50_000, strangers: 1_000 },
  ],
  notice: [{ per: 'actor', withinMs: HOUR_MS, most: 100 }],
  news: [],
};

/** What one receiver gets of a kind, from all callers together, and the codes that one network sends to it. */
const TO_ONE = { most: 30, withinMs: HOUR_MS };
const NEWS_TO_ONE = { most: 100, withinMs: DAY_MS };
const CODES_TO_ONE = { most: 10, withinMs: QUARTER_MS };

/** Dropped silently where there are too many, and the operation that causes them goes on. */
const DROPPED: ReadonlySet<MessageKind> = new Set(['reset', 'news']);
const COUNTED_ONLY = 2 ** 31 - 1;
/** Shares of a day's messages: of all unapproved requesters, and of a country without a ceiling. */
const UNAPPROVED_SHARE = 2;
const COUNTRY_SHARE = 4;

/** Every message has to be admitted here, and is counted by that. */
export interface MessageQuotas {
  /**
   * Whether it may be sent, in the transaction that sends it; false where it is dropped. Throws
   * RATE_LIMITED where a quota is used up and NUMBER_NOT_SERVED where no messages go.
   */
  admit(tx: Db, sending: MessageToSend): Promise<boolean>;
}

/** Messages cost money and reputation, so all of them have limits (decision 36). */
export function createMessageQuotas(config: Settings, quotas: Quotas): MessageQuotas {
  const served = readDialCodes(config.DIAL_CODES);

  return {
    async admit(tx, sending) {
      const { kind, channel, by } = sending;
      const own = quotasOf({ name: kind, limits: REQUESTER_LIMITS[kind] }, by, config);
      const all = [...own, ...receiverQuotas(sending), ...dayQuotas(sending, own)];
      const usedUp = await quotas.take(tx, all, by);
      if (usedUp === undefined) return true;
      if (DROPPED.has(kind)) return false;
      const hint = hintOfDay({ name: channel, day: config[CEILINGS[channel]] }, usedUp);
      throw tooMany(kind === 'code' ? 'codes requested' : 'messages', usedUp.retryAfter, hint);
    },
  };

  function dayQuotas({ kind, channel, to, by }: MessageToSend, own: readonly Quota[]): Quota[] {
    const most = config[CEILINGS[channel]];
    const day = { withinMs: DAY_MS, isShared: true, hasAlarm: true };
    const all = { ...day, subject: dayOf(channel), most };
    // Owners are notified about their accounts even when others have used everything up.
    if (kind === 'notice') return [{ ...all, most: COUNTED_ONLY }];
    const theirs = Math.floor(most / UNAPPROVED_SHARE);
    const only = 'strangers' as const;
    const strangers = { ...day, subject: `${dayOf(channel)} by strangers`, most: theirs, only };
    const part = clientPartOfDay(channel, most, by);
    const differs = own.some((quota) => quota.only === 'strangers');
    return [
      all,
      ...(differs ? [strangers, { ...part, only: 'approved' as const }] : [part]),
      ...(isPhone(channel, to) ? [{ ...day, ...countryOf(channel, to, most) }] : []),
    ];
  }

  function countryOf(channel: Channel, to: string, all: number) {
    const { code, most } = destinationOf(served, to);
    const isOurs = code === config.REWARDS_DIAL_CODE || served.listed.has(code);
    const share = isOurs ? all : Math.floor(all / COUNTRY_SHARE);
    return { subject: `${dayOf(channel)} to +${code}`, most: most ?? share };
  }
}

/** What leaves today by each channel, and how much may. */
export async function readMessagesOfDay(db: Db, config: Settings, now: Date) {
  const channels = Object.keys(CEILINGS) as Channel[];
  const spent = await readSpent(db, channels.map(dayOf), now);
  return channels.map((channel) => ({
    channel,
    sent: spent.get(dayOf(channel)) ?? 0,
    ceiling: config[CEILINGS[channel]],
  }));
}

const dayOf = (channel: Channel): string => `${channel} a day`;
/** A person at WhatsApp who shows no number: `ID.13491208655302741918`. */
const UNNUMBERED = /^[A-Z]{2}\./;
const isPhone = (channel: Channel, to: string): boolean =>
  channel === 'sms' || (channel === 'whatsapp' && !UNNUMBERED.test(to));

function receiverQuotas({ kind, channel, to, by }: MessageToSend): Quota[] {
  const receiver = receiverOf(channel, to);
  const quota = {
    subject: `${kind} to ${receiver}`,
    ...(kind === 'news' ? NEWS_TO_ONE : TO_ONE),
  };
  if (kind !== 'code') return [quota];
  return [{ subject: `code to ${receiver} from ${networkOf(by.ip)}`, ...CODES_TO_ONE }, quota];
}

/** One person, however the address is spelled: `Ada+1@Example.com` and `ada@example.com`. */
function receiverOf(channel: Channel, to: string): string {
  if (isPhone(channel, to)) return `+${digitsOf(to) ?? to.replace(/\D/g, '')}`;
  if (channel !== 'email') return to;
  return to.toLowerCase().replace(/^(.[^@+]*)\+.*(?=@)/, '$1');
}
