import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { integerInput, oneOfWords, text } from '#kernel/http/declare/schema.ts';
import { type Channel, SENDER_CHANNELS } from '#providers/messages/port.ts';
import { senderDigitsOf } from '#providers/messages/wire.ts';
import type { World } from '#sandbox/simulator.ts';

export interface ReceivedMessage {
  readonly channel: Channel;
  /** What tells a repetition; of one channel and receiver. */
  readonly reference: string;
  readonly to: string;
  readonly subject?: string;
  readonly text: string;
  readonly html?: string;
}

interface StoredMessage extends Omit<ReceivedMessage, 'reference'> {
  readonly id: string;
  /** The receiver as `GET /messages?to=` is compared with, however either is spelled. */
  readonly receiver: string;
  readonly created_at: string;
}

const PROVIDER = 'messages';
const KIND = 'message';
const LIMIT = 100;

const InboxFilter = Type.Object({
  to: Type.Optional(text(4096)),
  channel: Type.Optional(oneOfWords(SENDER_CHANNELS)),
  limit: Type.Optional(integerInput(1, 1000)),
});

/** Puts a message where people and tests can read it; once, however often it arrives. */
export async function receive(
  world: World,
  { reference, ...message }: ReceivedMessage,
): Promise<void> {
  const receiver = receiverOf(message.to);
  const id = `${message.channel}:${reference}:${receiver}`;
  const created_at = world.clock.now().toISOString();
  await world.records.insert(PROVIDER, KIND, id, { id, receiver, ...message, created_at });
}

/** `GET /messages?to=&channel=`: what was sent, newest first. */
export function inboxControls(server: FastifyInstance, world: World): void {
  server.get<{ Querystring: Static<typeof InboxFilter> }>(
    '/messages',
    { schema: { querystring: InboxFilter } },
    async ({ query: { to, channel, limit = LIMIT } }) => {
      const where = {
        ...(to === undefined ? {} : { receiver: receiverOf(to) }),
        ...(channel === undefined ? {} : { channel }),
      };
      const kept = await world.records.list<StoredMessage>(PROVIDER, KIND, { limit, where });
      return kept.map(({ receiver, ...message }) => message);
    },
  );
}

/** Addresses without case, phone numbers by their digits (a `+` in a query arrives as a space). */
function receiverOf(to: string): string {
  if (to.includes('@')) return to.trim().toLowerCase();
  return /^[+\s]?[\d\s().-]+$/.test(to) ? senderDigitsOf(to) : to;
}
