import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#kernel/db/db.ts';
import { type AnyEffect, defineEffect, type Effect } from '#kernel/effects/effect.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { transact } from '#kernel/transact.ts';
import type { NewPspACustomer, PspA } from '#providers/psp-a/port.ts';
import { PSP_CUSTOMER_EVENTS } from './events.ts';
import { PSP_CUSTOMERS_PERSON_DATA } from './person-data.ts';
import { PSP_CUSTOMERS_WORDS } from './reference.ts';
import {
  type CustomerState,
  changeKyc,
  customerOfUser,
  customerState,
  customersByIds,
  customersOfAccount,
  customersToSync,
  insertCustomer,
  keepCustomerId,
  keepSyncedKyc,
  type PspCustomerRow,
  recordPspCustomerFailure,
} from './store.ts';

/** The provider whose customers we keep, by the name of its row in `psps`. */
export const PSP_A = 'PSP_A';
export const PSP_A_COUNTRY = 'ID';

type Deps = Pick<Kernel, 'db' | 'effects' | 'log'> & { readonly pspA: PspA };
/** A customer at the provider, created or planned. */
export type PspCustomerRecord = PspCustomerRow;

export interface PspCustomers {
  /**
   * Plans in the caller's transaction that the company, or one of its users, becomes a customer of PSP A; a job
   * creates it. Answers the row's id, the same one every time.
   */
  request(tx: Db, customer: RequestedCustomer): Promise<number>;
  /** Tries at once, outside any transaction and for a short time, so that an answer can show the result. */
  syncNow(ids: readonly number[]): Promise<PspCustomerRecord[]>;
  /** Reports a user's verification to the provider; nothing where the user is no customer. */
  syncKyc(tx: Db, user_id: number, kyc_status: string): Promise<void>;
  /** Nothing when the user is no customer. */
  ofUser(db: Db, user_id: number): Promise<PspCustomerRecord | undefined>;
  /** The company's own and one user's. */
  ofAccount(db: Db, client_id: number, user_id: number): Promise<PspCustomerRecord[]>;
}

export interface RequestedCustomer {
  readonly client_id: number;
  /** Missing for the company itself. */
  readonly user_id?: number;
  /** The verification, where it is known already. */
  readonly kyc_status?: string;
}

/** How long a request waits for the provider. */
const WAIT_MS = 3000;
/** The job leaves the first attempt to the request that planned the customer. */
const HEAD_START_MS = 15_000;
const PAUSES = { firstMs: 5000, maxMs: 3_600_000 };

/**
 * Customers at PSP A (contract: what the service does, 3). The account is created whatever the provider does; the
 * stored reference makes every further try the same one.
 */
export function createPspCustomers(deps: Deps): Feature & PspCustomers {
  const { db, effects, log } = deps;
  const kyc = kycEffect(deps);
  const customer = customerEffect(deps, kyc);

  /** Both, as far as they have something to report. */
  async function tryNow(id: number): Promise<void> {
    await effects.drive(customer, String(id));
    const state = await customerState(db, id);
    if (state?.customer_id && isUnsynced(state)) await effects.drive(kyc, String(id));
  }

  return {
    name: 'psp-customers',
    personData: PSP_CUSTOMERS_PERSON_DATA,
    reference: PSP_CUSTOMERS_WORDS,
    async request(tx, { client_id, user_id, kyc_status }) {
      const id = await insertCustomer(tx, {
        client_id,
        user_id: user_id ?? null,
        psp_provider: PSP_A,
        // Not our ids: another installation may use the same provider.
        reference_id: randomUUID(),
        kyc_status: kyc_status ?? null,
      });
      await effects.begin(tx, customer, String(id));
      return id;
    },
    async syncNow(ids) {
      const tries = ids.map((id) =>
        tryNow(id).catch((err) => log.warn({ err, id }, 'PSP customer left to the job')),
      );
      await Promise.race([Promise.all(tries), wait(WAIT_MS, undefined, { ref: false })]);
      return customersByIds(db, ids);
    },
    async syncKyc(tx, user_id, kyc_status) {
      const known = await customersToSync(tx, user_id);
      // Effects first: a caller that ends one locks it before its customer.
      for (const { id, customer_id } of known)
        await effects.begin(tx, customer_id === null ? customer : kyc, String(id), { left: {} });
      await changeKyc(tx, user_id, kyc_status);
    },
    ofUser: customerOfUser,
    ofAccount: customersOfAccount,
    effects: [customer, kyc],
    events: PSP_CUSTOMER_EVENTS,
  };
}

const isUnsynced = ({ kyc_status, kyc_synced }: Pick<CustomerState, 'kyc_status' | 'kyc_synced'>) =>
  kyc_status !== null && kyc_status !== kyc_synced;

const stateOf = (db: Db, id: string) => customerState(db, Number(id));

/** Creates the customer there. It retries a refusal, too: an operator of the provider may have to lift it. */
const customerEffect = ({ db, log, effects, pspA }: Deps, kyc: AnyEffect) =>
  defineEffect<CustomerState, { readonly id: string }>({
    kind: 'psp-customer',
    repeatable: true,
    reopens: true,
    headStartMs: HEAD_START_MS,
    pauses: PAUSES,
    open: stateOf,
    names: ({ reference_id }) => [reference_id],
    async call(state) {
      if (state.customer_id !== null) return done({ id: state.customer_id });
      const outcome = await pspA.createCustomer(newCustomer(state));
      return outcome.kind === 'done' ? outcome : failed({ db, log }, state, 'create', outcome);
    },
    async settle(tx, { id }, { id: customer_id }) {
      const kept = await keepCustomerId(tx, id, customer_id);
      if (kept && isUnsynced(kept)) await effects.begin(tx, kyc, String(id), { left: {} });
    },
    refuse: async () => false,
  });

/** Reports the user's verification, as long as it changes. */
function kycEffect({ db, log, effects, pspA }: Deps): Effect<CustomerState, string | null> {
  const kyc: Effect<CustomerState, string | null> = defineEffect({
    kind: 'psp-kyc',
    repeatable: true,
    reopens: true,
    headStartMs: HEAD_START_MS,
    pauses: PAUSES,
    open: stateOf,
    names: ({ reference_id }) => [reference_id],
    async call(state) {
      const { customer_id, kyc_status } = state;
      if (customer_id === null || kyc_status === null) return done(null);
      const outcome = await pspA.updateCustomer(customer_id, { kycStatus: kyc_status });
      if (outcome.kind !== 'done') return failed({ db, log }, state, 'update', outcome);
      return done(kyc_status);
    },
    async settle(tx, { id }, reported) {
      const kept = reported === null ? undefined : await keepSyncedKyc(tx, id, reported);
      // The verification has changed during the call to the provider.
      if (kept && isUnsynced(kept)) await effects.begin(tx, kyc, String(id), { left: {} });
    },
    refuse: async () => false,
  });
  return kyc;
}

async function failed(
  { db, log }: Pick<Deps, 'db' | 'log'>,
  { id }: CustomerState,
  step: string,
  outcome: Exclude<Outcome<unknown>, { readonly kind: 'done' }>,
): Promise<Outcome<never>> {
  const error = outcome.kind === 'refused' ? outcome.code : outcome.cause;
  log.warn({ id, step, error }, 'PSP A has not received a customer’s verification');
  const isRefused = outcome.kind === 'refused' && error !== 'UNREACHABLE';
  await transact(db, (tx) => recordPspCustomerFailure(tx, id, error, isRefused));
  return unknown(error);
}

function newCustomer(state: CustomerState): NewPspACustomer {
  const { reference_id: reference, customer_type: type } = state;
  if (type === 'BUSINESS')
    return {
      reference,
      type,
      name: state.client_alias,
      email: state.client_email,
      phone: state.client_phone,
    };
  return {
    reference,
    type,
    name: state.username ?? state.client_alias,
    email: state.email ?? state.client_email,
    ...(state.phone === null ? {} : { phone: state.phone }),
  };
}
