import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '#kernel/db/db.ts';
import type { Feature } from '#kernel/feature.ts';
import { defineJob } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { NewCustomer, PspA } from '#providers/psp-a/port.ts';
import {
  type CustomerState,
  changeKyc,
  customerOfUser,
  customerState,
  customersByIds,
  customersOfAccount,
  insertCustomer,
  keepCustomerId,
  keepToldKyc,
  noteFailure,
  type PspCustomerRow,
} from './store.ts';

/** The provider whose customers we keep, by the name of its row in `psps`. */
export const PSP_A = 'PSP_A';
export const PSP_A_COUNTRY = 'ID';

type Deps = Pick<Kernel, 'db' | 'clock' | 'jobs' | 'log'> & { readonly pspA: PspA };
/** A customer at the provider, or one to be. */
export type PspCustomer = PspCustomerRow;

export interface PspCustomers {
  /**
   * Decides in the caller's transaction that the company, or one of its people, shall be a customer
   * of PSP A; a job sees to it until it is done. Answers the row's id, the same one every time.
   */
  request(tx: Db, customer: RequestedCustomer): Promise<number>;
  /** Tries at once, outside any transaction and not for long, so that an answer can show more. */
  syncNow(ids: readonly number[]): Promise<PspCustomer[]>;
  /** Tells the provider how a user's verification stands; nothing where the user is no customer. */
  tellKyc(tx: Db, user_id: number, kyc_status: string): Promise<void>;
  /** Nothing when the user is no customer. */
  ofUser(db: Db, user_id: number): Promise<PspCustomer | undefined>;
  /** The company's own and one user's. */
  ofAccount(db: Db, client_id: number, user_id: number): Promise<PspCustomer[]>;
}

export interface RequestedCustomer {
  readonly client_id: number;
  /** Without one it is the company itself. */
  readonly user_id?: number;
  /** What is known of the verification already. */
  readonly kyc_status?: string;
}

interface Sync {
  readonly id: number;
}

/** How long a request waits for the provider. */
const PATIENCE_MS = 3000;
/** The job leaves the first try to the request that planned the customer. */
const HEAD_START_MS = 15_000;
const PAUSE_FIRST_MS = 5000;
const PAUSE_MAX_MS = 3_600_000;

/**
 * Customers at PSP A (contract: what the service does, 3). Whatever the provider does, the account
 * they belong to is made; the reference that is stored first makes every further try the same one.
 */
export function createPspCustomers(deps: Deps): Feature & PspCustomers {
  const { db, clock, jobs, log } = deps;
  const sync = defineJob<Sync>({
    name: 'psp-customers.sync',
    async run({ id }) {
      const failures = await callPsp(deps, id);
      if (failures === 0) return undefined;
      return { again: new Date(clock.now().getTime() + pauseMs(failures)) };
    },
  });
  const enqueue = (tx: Db, id: number, at?: Date) =>
    jobs.enqueue(tx, sync, { id }, { key: `psp-customer:${id}`, ...(at && { at }) });

  return {
    name: 'psp-customers',
    async request(tx, { client_id, user_id, kyc_status }) {
      const id = await insertCustomer(tx, {
        client_id,
        user_id: user_id ?? null,
        psp_provider: PSP_A,
        // Not our ids: another installation may speak to the same provider.
        reference_id: randomUUID(),
        kyc_status: kyc_status ?? null,
      });
      await enqueue(tx, id, new Date(clock.now().getTime() + HEAD_START_MS));
      return id;
    },
    async syncNow(ids) {
      const tries = ids.map((id) =>
        callPsp(deps, id).catch((err) => log.warn({ err, id }, 'PSP customer left to the job')),
      );
      await Promise.race([Promise.all(tries), wait(PATIENCE_MS, undefined, { ref: false })]);
      return customersByIds(db, ids);
    },
    async tellKyc(tx, user_id, kyc_status) {
      for (const id of await changeKyc(tx, user_id, kyc_status)) await enqueue(tx, id);
    },
    ofUser: customerOfUser,
    ofAccount: customersOfAccount,
    jobs: [sync],
  };
}

/** Creates the customer and tells what there is to tell. Answers the failures in a row, 0 when done. */
async function callPsp({ db, log, pspA }: Deps, id: number): Promise<number> {
  const failed = async (step: string, error: string, refused: boolean) => {
    log.warn({ id, step, error }, 'PSP A was not told about a customer');
    return noteFailure(db, id, error, refused);
  };
  let state = await customerState(db, id);
  if (state && state.customer_id === null) {
    const outcome = await pspA.createCustomer(newCustomer(state));
    if (outcome.kind === 'unknown') return failed('create', outcome.cause, false);
    if (outcome.kind === 'refused')
      return failed('create', outcome.code, outcome.code !== 'UNREACHABLE');
    await keepCustomerId(db, id, outcome.value.id);
    state = await customerState(db, id);
  }
  // Read anew after each call: the verification may have gone on, or another run may have told less.
  while (state && state.customer_id !== null) {
    const { customer_id, kyc_status } = state;
    if (kyc_status === null || kyc_status === state.kyc_synced) break;
    const outcome = await pspA.updateCustomer(customer_id, { kycStatus: kyc_status });
    if (outcome.kind === 'unknown') return failed('update', outcome.cause, false);
    if (outcome.kind === 'refused') return failed('update', outcome.code, true);
    await keepToldKyc(db, id, kyc_status);
    state = await customerState(db, id);
  }
  return 0;
}

function newCustomer(state: CustomerState): NewCustomer {
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

const pauseMs = (failures: number): number =>
  Math.min(PAUSE_FIRST_MS * 2 ** Math.min(failures - 1, 20), PAUSE_MAX_MS);
