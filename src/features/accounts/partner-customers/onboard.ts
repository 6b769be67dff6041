import { randomUUID } from 'node:crypto';
import { verifiedNameOf } from '#features/accounts/verification/verification.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { defineEffect } from '#kernel/effects/effect.ts';
import { type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import { type AppError, fail } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { NOT_CONFIGURED, notConfigured } from '#kernel/provider-call.ts';
import { transact } from '#kernel/transact.ts';
import type { NewCustomer, PartnerCustomer, PartnerProvider } from '#providers/partner/port.ts';
import { emitCustomer } from './events.ts';
import {
  dropKey,
  findByKey,
  findOnboarding,
  insertPartnerCustomerKey,
  keepCustomer,
  markDoubtful,
  type Onboarding,
} from './store.ts';

export type OnboardDeps = Pick<Kernel, 'db' | 'clock' | 'log' | 'effects'> & {
  readonly partner: PartnerProvider;
};

export interface OnboardedUser {
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
/** An hour less than the partner remembers a key, for calls in flight. */
const KEY_LIFE_MS = 23 * 3600 * 1000;
/** The job leaves the first attempt to the request. */
const HEAD_START_MS = 30_000;
const PAUSES = { firstMs: 30_000, maxMs: 3_600_000 };

/**
 * Makes each user a customer of the partner once: stores the key before the call, and repeats the call under the same
 * key until there is an answer.
 */
export function createOnboarding(deps: OnboardDeps) {
  const { db, clock, log, effects } = deps;
  const effect = onboardingEffect(deps);

  /** Stores the key for the user, unless a valid one exists. */
  async function plan(user: OnboardedUser, { caller, request }: Actor) {
    const { user_id, client_id, username, email, phone } = user;
    const now = clock.now();
    const lapsed = new Date(now.getTime() - KEY_LIFE_MS);
    return transact(db, async (tx) => {
      const name = (await verifiedNameOf(tx, user_id)) ?? username;
      const facts = { customer_type: 'individual', name, email, phone } as const;
      const key = { user_id, idempotency_key: randomUUID(), keyed_at: now, ...facts };
      if (!(await insertPartnerCustomerKey(tx, key, lapsed))) return undefined;
      const subject = { client_id, subject_user_id: user_id };
      await logActivity(tx, { action: 'PARTNER_ONBOARD', actor: caller, ...subject, request });
      return effects.begin(tx, effect, key.idempotency_key);
    });
  }

  return {
    /** The user's customer, created now if missing. Concurrent callers get the same one. */
    async onboard(user: OnboardedUser, by: Actor): Promise<PartnerCustomer> {
      const intent = await plan(user, by);
      const onboarding = await findOnboarding(db, user.user_id);
      // A concurrent call under the same key was refused.
      if (!onboarding) throw unavailable();
      if (onboarding.snapshot) return onboarding.snapshot;
      const ending = await effects.drive(effect, onboarding.idempotency_key, { intent });
      if (ending.state === 'settled' && ending.value) return ending.value;
      if (ending.state === 'refused')
        throw fail('PROVIDER_REJECTED', 'The partner refused the customer', {
          details: ending.why.message,
        });
      if (ending.state === 'open') {
        const { cause } = ending;
        log.warn({ user_id: user.user_id, cause }, 'onboarding is left to the job');
        if (cause === NOT_CONFIGURED) throw notConfigured('The partner');
      }
      // A concurrent call may have the answer.
      const snapshot = (await findOnboarding(db, user.user_id))?.snapshot;
      if (snapshot) return snapshot;
      throw unavailable();
    },
    effect,
  };
}

export type Onboard = ReturnType<typeof createOnboarding>['onboard'];

/** A call under a key, which names the effect. */
const onboardingEffect = ({ db, clock, log, partner }: OnboardDeps) =>
  defineEffect<Onboarding, PartnerCustomer>({
    kind: 'partner-customer',
    repeatable: true,
    headStartMs: HEAD_START_MS,
    pauses: PAUSES,
    open: findByKey,
    async call(onboarding) {
      const { user_id, idempotency_key, keyed_at, doubtful } = onboarding;
      // A partner that has forgotten the key would create a second customer.
      if (clock.now().getTime() - Date.parse(keyed_at) >= KEY_LIFE_MS) {
        if (!doubtful) return refused('KEY_LAPSED', 'The key is too old, and has made nothing');
        log.error({ user_id }, 'A partner customer needs a person to look into it');
        return unknown('The key is too old to be used again');
      }
      const outcome = await partner.createCustomer(customerOf(onboarding));
      if (outcome.kind === 'done' || isFinal(outcome)) return outcome;
      if (outcome.kind === 'unknown' || !NOT_CREATED.has(outcome.code))
        await markDoubtful(db, user_id, idempotency_key);
      return unknown(outcome.kind === 'unknown' ? outcome.cause : outcome.code);
    },
    async settle(tx, { user_id }, customer) {
      await keepCustomer(tx, user_id, customer, clock.now());
      await emitCustomer(tx, 'created', user_id, customer);
    },
    async refuse(tx, { user_id, idempotency_key }) {
      await dropKey(tx, user_id, idempotency_key);
      return undefined;
    },
  });

/** Refusals before the partner looks at the customer. */
const NOT_CREATED: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'RATE_LIMITED', NOT_CONFIGURED]);

/** The partner has refused the customer's data: a retry with the same data is useless. */
const isFinal = (outcome: Outcome<unknown>): boolean =>
  outcome.kind === 'refused' && outcome.code === 'INVALID_PARAMS' && outcome.status === 400;

const customerOf = (onboarding: Onboarding): NewCustomer => ({
  idempotencyKey: onboarding.idempotency_key,
  type: onboarding.customer_type,
  name: onboarding.name,
  email: onboarding.email,
});

const unavailable = (): AppError =>
  fail('PROVIDER_UNAVAILABLE', FAULT, {
    details: 'The partner has not confirmed the customer yet; asking again is safe',
    retryAfter: 5,
  });
