import type { IncomingHttpHeaders } from 'node:http';
import type { Outcome } from '#kernel/provider-call.ts';

export const SENDER_CHANNELS = ['email', 'whatsapp', 'sms', 'push', 'telegram'] as const;
export type Channel = (typeof SENDER_CHANNELS)[number];

export interface OutgoingMessage {
  /** Ours, and the same at every try, so that a receiver can tell that it has it already. */
  readonly id: string;
  /** When it was called for. */
  readonly at: Date;
  /** An e-mail address, a phone number, or the token of a device. */
  readonly to: string;
  readonly subject?: string;
  readonly text: string;
  /** For e-mail only. */
  readonly html?: string;
  /** It goes on with a conversation that the receiver has begun, in its own words: no template is needed. */
  readonly chat?: ChatPart;
}

export interface ChatPart {
  /** What the receiver may answer with one touch; three at most. */
  readonly buttons?: readonly ChatButton[];
}

export interface ChatButton {
  /** Comes back when it is pressed; at most 64 characters. */
  readonly id: string;
  /** At most 20 characters. */
  readonly title: string;
}

export interface SentMessage {
  /** What the provider calls it. */
  readonly reference: string;
}

/**
 * Hands a message to a provider. `refused` is final: it would never be taken. `unknown` may or may
 * not have been taken, and the next try has `again` set.
 */
export type MessageSender = (
  message: OutgoingMessage,
  options?: { readonly again?: boolean },
) => Promise<Outcome<SentMessage>>;

export type MessageSenders = Readonly<Record<Channel, MessageSender>>;

/** What a provider reports later of a message that it has taken. */
export type DeliveryReport = {
  /** The provider's name of the report, by which its repetition is known. */
  readonly name: string;
  /** Our id of the message. */
  readonly messageId: string;
  /** The provider's id of it. */
  readonly reference: string;
} & (
  | { readonly kind: 'taken' }
  /** `code` is the provider's reason. */
  | { readonly kind: 'failed'; readonly code: string }
);

/** The webhooks in which providers report on messages. */
export interface MessageReports {
  /** Whether the bytes were signed by the provider. */
  isGenuine(raw: Uint8Array, headers: IncomingHttpHeaders): boolean;
  /** Whether the provider proves to be ours when it registers the webhook. */
  mayRegister(verifyToken: string): boolean;
  read(raw: Uint8Array): readonly DeliveryReport[];
}

/** The address at which a provider of SMS reports on a message: it names the message. */
export interface SmsReports {
  /** Whether the form was sent to that path of ours by the provider. */
  isGenuine(raw: Uint8Array, headers: IncomingHttpHeaders, path: string): boolean;
  read(raw: Uint8Array, messageId: string): DeliveryReport | undefined;
}

export const BOT_PLATFORMS = ['telegram', 'whatsapp'] as const;
export type BotPlatform = (typeof BOT_PLATFORMS)[number];

/** A person who writes to a bot of ours, as the platform knows them. */
export interface BotAccount {
  /** The platform gives it to no other. */
  readonly id: string;
  /** Where messages to them go. */
  readonly address: string;
  /** What they call themselves: one line, and undefined where nothing of it can be shown. */
  readonly name: string | undefined;
  /** `@ada` or `+6281200001111`, where the platform says it. */
  readonly handle: string | undefined;
  /** A tag such as `id`. */
  readonly language: string;
}

/** Why something that was written says nothing to a bot. */
export type Unread = 'group' | 'forwarded' | 'edited' | 'media';

/** What a person has done towards a bot of ours. */
export type BotNews = {
  /** The platform's name of it, by which its repetition is known. */
  readonly name: string;
  readonly account: BotAccount;
  /** When it was written, where that decides until when it may be answered. */
  readonly at?: Date;
} & (
  | { readonly kind: 'text'; readonly text: string }
  /** `press` is what an answer to it names. */
  | { readonly kind: 'press'; readonly button: string; readonly press: string }
  /** `chat`: where it was written, where that is not the person's own chat. */
  | { readonly kind: 'unread'; readonly why: Unread; readonly chat?: string }
);

/** A bot of ours, and the webhook by which its platform calls. */
export interface ChatBot {
  /** Whether the call is the platform's. */
  isGenuine(raw: Uint8Array, headers: IncomingHttpHeaders): boolean;
  /** What needs no answer is left out. */
  read(raw: Uint8Array): readonly BotNews[];
  /** An address that opens a chat with it, in which that text is written; undefined where it has no name yet. */
  link(text: string): string | undefined;
}

/** What a bot says. */
export interface BotReply {
  readonly text: string;
  readonly buttons?: readonly ChatButton[];
}

/** Telegram takes an answer of ours as the answer of its call. */
export interface TelegramBot extends ChatBot {
  answer(news: AnsweredNews, reply: BotReply): Readonly<Record<string, unknown>>;
}

/** What of the news an answer needs. */
export interface AnsweredNews {
  /** Where it was written. */
  readonly chat: string;
  readonly press?: string | undefined;
}

export interface ChatBots {
  readonly telegram: TelegramBot;
  readonly whatsapp: ChatBot;
}
