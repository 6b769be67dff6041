import { randomUUID } from 'node:crypto';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';

/** The messengers whose people can be played here. */
export const CHAT_PLATFORMS = ['telegram', 'whatsapp'] as const;
export type ChatPlatform = (typeof CHAT_PLATFORMS)[number];

/** One thing that is seen in a chat between a person and a bot. */
export interface ChatEntry {
  readonly id: string;
  readonly platform: ChatPlatform;
  readonly person: string;
  readonly by: 'person' | 'bot';
  readonly text: string;
  /** What the bot offers below it. */
  readonly buttons: readonly { readonly id: string; readonly title: string }[];
  /** Shown over the chat until it is closed, as Telegram answers a press. */
  readonly alert: boolean;
  readonly at: string;
}

const CHAT_PROVIDER = 'messages';
const KIND = 'chat';
const CHAT_MAX = 100;

export type NewEntry = Pick<ChatEntry, 'platform' | 'person' | 'by' | 'text'> &
  Partial<Pick<ChatEntry, 'id' | 'buttons' | 'alert'>>;

/** Once for an id, where it has one. */
export async function keepEntry({ records, clock }: World, entry: NewEntry): Promise<void> {
  const at = clock.now().toISOString();
  const kept = { id: randomUUID(), buttons: [], alert: false, ...entry, at };
  await records.insert(CHAT_PROVIDER, KIND, kept.id, kept);
}

/** Newest first. */
export const chatOf = (
  { records }: World,
  platform: ChatPlatform,
  person: string,
): Promise<ChatEntry[]> =>
  records.list<ChatEntry>(CHAT_PROVIDER, KIND, { limit: CHAT_MAX, where: { platform, person } });

/** Rises by one at each call, over all processes and restarts. */
export const nextNumber = (records: Records, provider: string, name: string): Promise<number> =>
  records.exclusively(provider, 'number', name, async (own) => {
    const known = await own.update<{ last: number }>(provider, 'number', name, ({ last }) => ({
      last: last + 1,
    }));
    if (known) return known.last;
    await own.insert(provider, 'number', name, { last: FIRST });
    return FIRST;
  });
const FIRST = 1001;
