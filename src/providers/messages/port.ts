import type { IncomingHttpHeaders } from 'node:http';
import type { Outcome } from '#kernel/provider-call.ts';

export const SENDER_CHANNELS = ['email', 'whatsapp', 'sms', 'push'] as const;
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
