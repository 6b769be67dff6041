import type { Config } from '#kernel/config/config.ts';
import { networkOf } from '#kernel/network.ts';
import { type AppError, fail } from '../error.ts';
import type { Charge } from './budgets.ts';
import type { Requester } from './requester.ts';

export const QUARTER_MS = 15 * 60_000;
export const HOUR_MS = 4 * QUARTER_MS;
export const DAY_MS = 24 * HOUR_MS;

/** How much of something a requester may cause, by what it is counted against. */
export interface Allowance {
  /** The network it comes from, the logged-in user, or the client (else the key) it is for. */
  readonly per: 'network' | 'actor' | 'client';
  readonly withinMs: number;
  readonly approved: number;
  /** For callers that are not approved (see `isApproved`). */
  readonly unapproved: number;
}

/**
 * What one of `what` is counted against, as `spend` takes it: whether the requester counts as approved is seen
 * by the statement that spends. Mock mode is not reachable from outside and approves everybody.
 */
export function chargesFor(
  { MOCK_MODE }: Pick<Config, 'MOCK_MODE'>,
  what: string,
  allowances: readonly Allowance[],
  by: Requester,
): Charge[] {
  const differs = !MOCK_MODE && allowances.some(({ per }) => per !== 'actor');
  const approved = chargesOf(what, allowances, by, true);
  if (!differs) return approved;
  const strangers = chargesOf(what, allowances, by, false);
  return [
    ...approved.map((charge) => ({ ...charge, only: 'approved' as const })),
    ...strangers.map((charge) => ({ ...charge, only: 'strangers' as const })),
  ];
}

/** The refusal when an allowance is used up; the time is in seconds. */
export const tooMany = (what: string, retryAfter: number, hint?: string): AppError =>
  fail('RATE_LIMITED', `Too many ${what}, try again later`, {
    retryAfter,
    ...(hint !== undefined && { hint }),
  });

function chargesOf(
  what: string,
  allowances: readonly Allowance[],
  requester: Requester,
  approved: boolean,
): Charge[] {
  return allowances.flatMap(({ per, withinMs, ...most }) => {
    const whose = whoseOf(per, requester, approved);
    if (whose === undefined) return [];
    return {
      subject: `${what} by ${per}/${withinMs / 60_000}m ${whose}`,
      most: approved ? most.approved : most.unapproved,
      withinMs,
      wide: per === 'client',
    };
  });
}

function whoseOf(
  per: Allowance['per'],
  requester: Requester,
  approved: boolean,
): string | undefined {
  if (per === 'network') return networkOf(requester.ip);
  if (per === 'actor') return requester.actor;
  const { client_id, key_id } = requester;
  // Strangers may share a client with others, whose share they must not use up.
  const standing = approved ? '' : 'stranger ';
  if (typeof client_id === 'number') return `${standing}client:${client_id}`;
  return typeof key_id === 'number' ? `${standing}key:${key_id}` : undefined;
}
