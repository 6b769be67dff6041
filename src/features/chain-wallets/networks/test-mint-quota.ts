import { perHour, type QuotaRule } from '#kernel/quota/quota.ts';

/** Test tokens and coins that anybody may have in a day. On networks of others the platform pays for them. */
const TEST_MINTS = {
  own: { name: 'own test mints', limits: perHour(20, 300), day: 10_000 },
  others: { name: 'test mints', limits: perHour(5, 20), day: 300 },
} as const satisfies Record<string, QuotaRule>;

export const testMintQuota = (isOwn: boolean): QuotaRule =>
  isOwn ? TEST_MINTS.own : TEST_MINTS.others;
