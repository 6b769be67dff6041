import { createHmac, randomBytes } from 'node:crypto';
import type { Records } from '#sandbox/records.ts';

export const SIMULATED_CARD_PROVIDER = 'card-network';

/** What stands for a card number in the records: the same card gives the same, and nothing gives it back. */
export async function cardToken(records: Records, number: string): Promise<string> {
  const key = await hashKey(records);
  return createHmac('sha256', Buffer.from(key, 'hex')).update(number).digest('hex');
}

async function hashKey(records: Records): Promise<string> {
  const kept = await records.get<{ key: string }>(SIMULATED_CARD_PROVIDER, 'hash-key', 'cards');
  if (kept) return kept.key;
  await records.insert(SIMULATED_CARD_PROVIDER, 'hash-key', 'cards', {
    key: randomBytes(32).toString('hex'),
  });
  return hashKey(records);
}
