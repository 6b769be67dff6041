import type { Config } from '#kernel/config/config.ts';
import { networkOf } from '#kernel/network.ts';
import type { Db } from '../db/db.ts';
import { type Allowance, chargesFor, DAY_MS, HOUR_MS, QUARTER_MS, tooMany } from './allowances.ts';
import { type Budgets, type Charge, readSpent } from './budgets.ts';
import { destinationOf, digitsOf, readDialCodes } from './dial-codes.ts';
import { hintOfDay, type PlatformDay, partOfDay } from './platform-day.ts';
import type { Requester } from './requester.ts';

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
} as const;
type Channel = keyof typeof CEILINGS;
type Settings = Pick<
  Config,
  'MOCK_MODE' | 'DIAL_CODES' | 'REWARDS_DIAL_CODE' | (typeof CEILINGS)[Channel]
>;

/** Decisions, budgets: what a requester may have sent. */
const REQUESTER_ALLOWANCES: Record<MessageKind, readonly Allowance[]> = {
  code: [
    { per: 'network', withinMs: QUARTER_MS, approved: 300, unapproved: 30 },
    { per: 'network', withinMs: DAY_MS, approved: 5_000, unapproved: 150 },
    { per: 'client', withinMs: DAY_MS, approved: 50_000, unapproved: 300 },
    { per: 'actor', withinMs: QUARTER_MS, approved: 10, unapproved: 10 },
    { per: 'actor', withinMs: HOUR_MS, approved: 30, unapproved: 30 },
  ],
  invitation: [
    { per: 'network', withinMs: HOUR_MS, approved: 5_000, unapproved: 100 },
    { per: 'network', withinMs: DAY_MS, approved: 20_000, unapproved: 300 },
    { per: 'client', withinMs: DAY_MS, approved: 50_000, unapproved: 300 },
  ],
  reset: [
    { per: 'network', withinMs: QUARTER_MS, approved: 300, unapproved: 100 },
    { per: 'client', withinMs: DAY_MS, approved: 50_000, unapproved: 1_000 },
  ],
  notice: [{ per: 'actor', withinMs: HOUR_MS, approved: 100, unapproved: 100 }],
  news: [],
};

/** What one receiver gets of a kind, from all callers together. */
const RECEIVER_ALLOWANCES: Record<
  MessageKind,
  { readonly most: number; readonly withinMs: number }
> = {
  code: { most: 30, withinMs: HOUR_MS },
  invitation: { most: 30, withinMs: HOUR_MS },
  reset: { most: 30, withinMs: HOUR_MS },
  notice: { most: 30, withinMs: HOUR_MS },
  news: { most: 100, withinMs: DAY_MS },
};
/** And what one network has sent to it. */
const CODES_TO_ONE = { most: 10, withinMs: QUARTER_MS };

/** Dropped silently where there are too many, and what causes them goes on. */
const DROPPED: ReadonlySet<MessageKind> = new Set(['reset', 'news']);
const COUNTED_ONLY = 2 ** 31 - 1;
/** Shares of a day's messages: of all unapproved requesters, and of a country without a ceiling. */
const UNAPPROVED_SHARE = 2;
const COUNTRY_SHARE = 4;

/** Every message has to be admitted here, and is counted by that. */
export interface MessageBudgets {
  /**
   * Whether it may be sent, in the transaction that sends it; false where it is left out. Throws
   * RATE_LIMITED where a budget is used up and NUMBER_NOT_SERVED where none are sent.
   */
  admit(tx: Db, sending: MessageToSend): Promise<boolean>;
}

/** Messages cost money and reputation, so all of them have limits (decisions: Budgets). */
export function createMessageBudgets(config: Settings, budgets: Budgets): MessageBudgets {
  const served = readDialCodes(config.DIAL_CODES);

  return {
    async admit(tx, sending) {
      const { kind, by } = sending;
      const charges = chargesFor(config, kind, REQUESTER_ALLOWANCES[kind], by);
      const differs = charges.some(({ only }) => only === 'strangers');
      const all = [...charges, ...receiverCharges(sending), ...dayCharges(sending, differs)];
      const usedUp = await budgets.take(tx, all, by);
      if (usedUp === undefined) return true;
      if (DROPPED.has(kind)) return false;
      const hint = hintOfDay(platformDay(sending.channel), usedUp);
      throw tooMany(kind === 'code' ? 'codes requested' : 'messages', usedUp.retryAfter, hint);
    },
  };

  function platformDay(channel: Channel): PlatformDay {
    return { name: channel, most: config[CEILINGS[channel]] };
  }

  function dayCharges({ kind, channel, to, by }: MessageToSend, differs: boolean): Charge[] {
    const most = config[CEILINGS[channel]];
    const day = { withinMs: DAY_MS, wide: true, alarm: true };
    const all = { ...day, subject: dayOf(channel), most };
    // Owners are notified about their accounts even when others have used everything up.
    if (kind === 'notice') return [{ ...all, most: COUNTED_ONLY }];
    const theirs = Math.floor(most / UNAPPROVED_SHARE);
    const only = 'strangers' as const;
    const strangers = { ...day, subject: `${dayOf(channel)} by strangers`, most: theirs, only };
    const part = partOfDay(platformDay(channel), by);
    return [
      all,
      ...(differs ? [strangers, { ...part, only: 'approved' as const }] : [part]),
      ...(isPhone(channel) ? [{ ...day, ...countryOf(channel, to, most) }] : []),
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
export async function readDay(db: Db, config: Settings, now: Date) {
  const channels = Object.keys(CEILINGS) as Channel[];
  const spent = await readSpent(db, channels.map(dayOf), now);
  return channels.map((channel) => ({
    channel,
    sent: spent.get(dayOf(channel)) ?? 0,
    ceiling: config[CEILINGS[channel]],
  }));
}

const dayOf = (channel: Channel): string => `${channel} a day`;
const isPhone = (channel: Channel): boolean => channel === 'sms' || channel === 'whatsapp';

function receiverCharges({ kind, channel, to, by }: MessageToSend): Charge[] {
  const receiver = receiverOf(channel, to);
  const charges = [{ subject: `${kind} to ${receiver}`, ...RECEIVER_ALLOWANCES[kind] }];
  if (kind !== 'code') return charges;
  return [{ subject: `code to ${receiver} from ${networkOf(by.ip)}`, ...CODES_TO_ONE }, ...charges];
}

/** One person, however the address is spelled: `Ada+1@Example.com` and `ada@example.com`. */
function receiverOf(channel: Channel, to: string): string {
  if (isPhone(channel)) return `+${digitsOf(to) ?? to.replace(/\D/g, '')}`;
  if (channel === 'push') return to;
  return to.toLowerCase().replace(/^(.[^@+]*)\+.*(?=@)/, '$1');
}
