import type { Config } from '#kernel/config/config.ts';
import type { Db } from '../db/db.ts';
import { type Allowance, chargesFor, DAY_MS, HOUR_MS, tooMany } from './allowances.ts';
import type { Budgets } from './budgets.ts';
import type { Requester } from './requester.ts';

/** What comes into being: a client, its user by an admin or an outside log-in, a rewards member. */
export type SignUp = 'client' | 'user' | 'external user' | 'member';

/** Decisions, budgets. Never per actor: each new account would be a new actor. */
const MADE: Record<SignUp, readonly Allowance[]> = {
  client: [
    { per: 'network', withinMs: HOUR_MS, approved: 5_000, unapproved: 30 },
    { per: 'network', withinMs: DAY_MS, approved: 20_000, unapproved: 100 },
    { per: 'client', withinMs: DAY_MS, approved: 20_000, unapproved: 500 },
  ],
  user: [
    { per: 'network', withinMs: HOUR_MS, approved: 5_000, unapproved: 100 },
    { per: 'client', withinMs: HOUR_MS, approved: 5_000, unapproved: 50 },
    { per: 'client', withinMs: DAY_MS, approved: 50_000, unapproved: 200 },
  ],
  'external user': [
    { per: 'network', withinMs: HOUR_MS, approved: 5_000, unapproved: 100 },
    { per: 'client', withinMs: DAY_MS, approved: 100_000, unapproved: 1_000 },
  ],
  member: [
    { per: 'network', withinMs: HOUR_MS, approved: 5_000, unapproved: 100 },
    { per: 'client', withinMs: DAY_MS, approved: 100_000, unapproved: 1_000 },
  ],
};

export interface SignUps {
  /** In the transaction that makes it. Throws RATE_LIMITED. */
  admit(tx: Db, what: SignUp, by: Requester): Promise<void>;
}

/** Accounts cost mails and points, and a caller could hide behind many: sign-ups have limits. */
export const createSignUps = (config: Pick<Config, 'MOCK_MODE'>, budgets: Budgets): SignUps => ({
  async admit(tx, what, by) {
    const charges = chargesFor(config, `new ${what}`, MADE[what], by);
    const wait = await budgets.spend(tx, charges, by);
    if (wait !== undefined) throw tooMany('sign-ups', wait);
  },
});
