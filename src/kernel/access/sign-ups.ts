import type { Db } from '../db/db.ts';
import type { Kernel } from '../kernel.ts';
import { type Allowance, DAY_MS, HOUR_MS, tooMany, weigh } from './allowances.ts';
import type { Asker } from './asker.ts';
import type { Budgets } from './budgets.ts';

/** What comes into being: a client, its user by an admin or an outside log-in, a rewards member. */
export type SignUp = 'client' | 'user' | 'external user' | 'member';

/** Decisions, budgets. Never per actor: each new account would be a new actor. */
const MADE: Record<SignUp, readonly Allowance[]> = {
  client: [
    { per: 'network', withinMs: HOUR_MS, approved: 5_000, strangers: 30 },
    { per: 'network', withinMs: DAY_MS, approved: 20_000, strangers: 100 },
    { per: 'client', withinMs: DAY_MS, approved: 20_000, strangers: 500 },
  ],
  user: [
    { per: 'network', withinMs: HOUR_MS, approved: 5_000, strangers: 100 },
    { per: 'client', withinMs: HOUR_MS, approved: 5_000, strangers: 50 },
    { per: 'client', withinMs: DAY_MS, approved: 50_000, strangers: 200 },
  ],
  'external user': [
    { per: 'network', withinMs: HOUR_MS, approved: 5_000, strangers: 100 },
    { per: 'client', withinMs: DAY_MS, approved: 100_000, strangers: 1_000 },
  ],
  member: [
    { per: 'network', withinMs: HOUR_MS, approved: 5_000, strangers: 100 },
    { per: 'client', withinMs: DAY_MS, approved: 100_000, strangers: 1_000 },
  ],
};

export interface SignUps {
  /** In the transaction that makes it. Throws RATE_LIMITED. */
  admit(tx: Db, what: SignUp, by: Asker): Promise<void>;
}

/** Accounts cost mails and points, and a caller could hide behind many: sign-ups have limits. */
export const createSignUps = (
  config: Pick<Kernel['config'], 'MOCK_MODE'>,
  budgets: Budgets,
): SignUps => ({
  async admit(tx, what, by) {
    const one = { what: `new ${what}`, allowances: MADE[what], by };
    const { charges } = await weigh(tx, config, one);
    const wait = await budgets.spend(tx, charges);
    if (wait !== undefined) throw tooMany('sign-ups', wait);
  },
});
