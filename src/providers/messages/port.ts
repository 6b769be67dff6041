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
