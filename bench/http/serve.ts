import { countAllocations } from './allocations.ts';
import type { Listening } from './fleet.ts';

/** The answer of every server of the comparison without a look-up. */
export const PROFILE = {
  user_id: 17,
  username: 'demo-user',
  email: 'user@demo.example',
  full_name: 'Demo User',
  country_code: 'US',
  phone: '+15550100',
  role: 'user',
  status: 'ACTIVE',
  verified: true,
  created_at: '2026-01-01T00:00:00.000Z',
};

/** Notifies the parent, and ends with the parent. */
export function listening(ready: Listening, close: () => Promise<unknown>): void {
  const stop = () => void close().finally(() => process.exit());
  process.once('SIGTERM', stop);
  process.once('disconnect', stop);
  countAllocations();
  process.send?.(ready);
}

/** The parent's settings for this process. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
