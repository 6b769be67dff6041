import { randomUUID } from 'node:crypto';
import { logActivity } from '#features/activity/activity.ts';
import { verifiedNameOf } from '#features/verification/verification.ts';
import { transact } from '#kernel/db/transact.ts';
import { type AppError, fail } from '#kernel/http/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/route.ts';
import { defineJob, type Job } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { NewCustomer, PartnerCustomer, PartnerProvider } from '#providers/partner/port.ts';
import {
  isNotConfigured,
  NOT_CONFIGURED,
  notConfigured,
  type Outcome,
  refused,
} from '#providers/provider.ts';
import {
  doubt,
  dropKey,
  findOnboarding,
  insertKey,
  keepCustomer,
  type Onboarding,
} from './store.ts';

export type OnboardDeps = Pick<Kernel, 'db' | 'clock' | 'log' | 'jobs'> & {
  readonly partner: PartnerProvider;
};

export interface CustomerFacts {
  readonly user_id: number;
  readonly client_id: number;
  readonly username: string;
  readonly email: string;
  readonly phone: string | null;
}
export interface Actor {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

const FAULT = 'Failed to onboard the customer';
/** An hour less than the partner remembers a key, for calls that are under way. */
const KEY_LIFE_MS = 23 * 3600 * 1000;
/** The job leaves the first try to the request. */
const HEAD_START_MS = 30_000;
const PAUSE_MIN_MS = 30_000;
const PAUSE_MAX_MS = 3_600_000;

/**
 * Makes users customers of the partner, each once: the key is stored before the partner hears it, and
 * a job repeats the call under the same key until there is an answer.
 */
export function createOnboarding(deps: OnboardDeps) {
  const { db, clock, log, jobs } = deps;
  const age = ({ keyed_at }: Onboarding) => clock.now().getTime() - Date.parse(keyed_at);

  const job = defineJob<{ readonly user_id: number }>({
    name: 'partner-customers.onboard',
    async run({ user_id }) {
      const onboarding = await findOnboarding(db, user_id);
      if (!onboarding || onboarding.snapshot) return undefined;
      const outcome = await callPartner(deps, onboarding);
      if (outcome.kind === 'done' || isFinal(outcome)) return undefined;
      const waited = age(onboarding);
      if (waited >= KEY_LIFE_MS) {
        log.error({ user_id, outcome }, 'A partner customer needs a person to look into it');
        return undefined;
      }
      const pause = Math.min(Math.max(waited, PAUSE_MIN_MS), PAUSE_MAX_MS);
      return { again: new Date(clock.now().getTime() + pause) };
    },
  });

  /** Stores the key for the user, unless there is one that counts. */
  async function plan(user: CustomerFacts, { caller, request }: Actor): Promise<void> {
    const { user_id, client_id, username, email, phone } = user;
    const now = clock.now();
    const lapsed = new Date(now.getTime() - KEY_LIFE_MS);
    await transact(db, async (tx) => {
      const name = (await verifiedNameOf(tx, user_id)) ?? username;
      const facts = { customer_type: 'individual', name, email, phone } as const;
      const key = { user_id, idempotency_key: randomUUID(), keyed_at: now, ...facts };
      if (!(await insertKey(tx, key, lapsed))) return;
      const at = new Date(now.getTime() + HEAD_START_MS);
      await jobs.enqueue(tx, job, { user_id }, { key: `partner-customer:${user_id}`, at });
      const subject = { client_id, subject_user_id: user_id };
      await logActivity(tx, { action: 'PARTNER_ONBOARD', actor: caller, ...subject, request });
    });
  }

  return {
    /** The user's customer, made now if need be. Whoever asks at the same time gets the same one. */
    async onboard(user: CustomerFacts, by: Actor): Promise<PartnerCustomer> {
      await plan(user, by);
      const onboarding = await findOnboarding(db, user.user_id);
      // Somebody else's call under the same key was refused in between.
      if (!onboarding) throw unavailable();
      if (onboarding.snapshot) return onboarding.snapshot;
      const outcome = await callPartner(deps, onboarding);
      if (outcome.kind === 'done') return outcome.value;
      if (isFinal(outcome))
        throw fail('PROVIDER_REJECTED', 'The partner refused the customer', {
          details: outcome.kind === 'refused' ? outcome.message : undefined,
        });
      log.warn({ user_id: user.user_id, outcome }, 'onboarding is left to the job');
      if (isNotConfigured(outcome)) throw notConfigured('The partner');
      // Another call may have been answered meanwhile.
      const snapshot = (await findOnboarding(db, user.user_id))?.snapshot;
      if (snapshot) return snapshot;
      throw unavailable();
    },
    jobs: [job] as readonly Job[],
  };
}

export type Onboard = ReturnType<typeof createOnboarding>['onboard'];

/** One call under the key, and its outcome kept. */
async function callPartner(
  { db, clock, partner }: OnboardDeps,
  onboarding: Onboarding,
): Promise<Outcome<PartnerCustomer>> {
  const { user_id, idempotency_key, keyed_at } = onboarding;
  const now = clock.now();
  // A partner that has forgotten the key would make a second customer.
  if (now.getTime() - Date.parse(keyed_at) >= KEY_LIFE_MS)
    return refused('KEY_REFUSED', 'The key is too old to be used again');
  const outcome = await partner.createCustomer(customerOf(onboarding));
  if (outcome.kind === 'done') await keepCustomer(db, user_id, outcome.value, now);
  else if (isFinal(outcome)) await dropKey(db, user_id, idempotency_key);
  else if (outcome.kind === 'unknown' || !NOTHING_MADE.has(outcome.code))
    await doubt(db, user_id, idempotency_key);
  return outcome;
}

/** Refusals at the partner's door, or before. */
const NOTHING_MADE: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'RATE_LIMITED', NOT_CONFIGURED]);

/** The partner has judged the facts themselves: trying again with the same ones is no use. */
const isFinal = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refused' && outcome.code === 'INVALID_PARAMS' && outcome.status === 400;

const customerOf = (onboarding: Onboarding): NewCustomer => ({
  reference: String(onboarding.user_id),
  idempotencyKey: onboarding.idempotency_key,
  type: onboarding.customer_type,
  name: onboarding.name,
  email: onboarding.email,
  ...(onboarding.phone !== null && { phone: onboarding.phone }),
});

const unavailable = (): AppError =>
  fail('PROVIDER_UNAVAILABLE', FAULT, {
    details: 'The partner has not confirmed the customer yet; asking again is safe',
    retryAfter: 5,
  });
