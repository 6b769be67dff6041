import { DAY_MS, HOUR_MS, type QuotaLimit, type QuotaRule } from './quota.ts';

const signUp = (what: string, limits: readonly QuotaLimit[]): QuotaRule => ({
  name: `new ${what}`,
  words: 'sign-ups',
  limits,
});
const BY_LOG_IN: readonly QuotaLimit[] = [
  { per: 'network', withinMs: HOUR_MS, most: 5_000, strangers: 100 },
  { per: 'client', withinMs: DAY_MS, most: 100_000, strangers: 1_000 },
];

/**
 * Accounts cost mails and points, and a caller could hide behind many (decision 36). Never per actor: each new account
 * would be a new actor.
 */
export const SIGN_UPS = {
  client: signUp('client', [
    { per: 'network', withinMs: HOUR_MS, most: 5_000, strangers: 30 },
    { per: 'network', withinMs: DAY_MS, most: 20_000, strangers: 100 },
    { per: 'client', withinMs: DAY_MS, most: 20_000, strangers: 500 },
  ]),
  /** By an admin. */
  user: signUp('user', [
    { per: 'network', withinMs: HOUR_MS, most: 5_000, strangers: 100 },
    { per: 'client', withinMs: HOUR_MS, most: 5_000, strangers: 50 },
    { per: 'client', withinMs: DAY_MS, most: 50_000, strangers: 200 },
  ]),
  externalUser: signUp('external user', BY_LOG_IN),
  rewardsMember: signUp('member', BY_LOG_IN),
};
