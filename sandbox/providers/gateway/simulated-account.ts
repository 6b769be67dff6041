import { randomUUID } from 'node:crypto';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';

export const SIMULATED_GATEWAY_PROVIDER = 'gateway';
export const SIMULATED_GATEWAY_PREFIX = '/gateway';
export const BUSINESS_ID = '5f27a14a9bf05c73dd040bc8';

/** What its books are kept with. */
export type GatewayBooks = Pick<World, 'records' | 'clock'>;

/** What its simulators stand on: the token that its call-backs carry comes on top. */
export interface GatewayWorld extends World {
  readonly callbackToken: string;
}

/** Calls the service back at that path; answers whether it took it. */
export const tell = (world: GatewayWorld, path: string, body: object): Promise<boolean> =>
  world.callbacks.deliver(SIMULATED_GATEWAY_PROVIDER, {
    url: `${world.serviceUrl()}${path}`,
    headers: { 'x-callback-token': world.callbackToken },
    body,
  });

const CURRENCY = 'IDR';
const ACCOUNT = 'account';
const ENTRY = 'transaction';

interface Account {
  /** Whole rupiah; below zero it is credit. */
  readonly balance: number;
}

/** A line of the statement: money that has moved. */
export interface Entry {
  readonly id: string;
  readonly product_id: string;
  readonly type: 'PAYMENT' | 'DISBURSEMENT';
  readonly status: 'SUCCESS' | 'REVERSED';
  readonly channel_category: string;
  readonly channel_code: string;
  readonly reference_id: string;
  readonly account_identifier: string | null;
  readonly amount: number;
  readonly cashflow: 'MONEY_IN' | 'MONEY_OUT';
  readonly created: string;
  readonly updated: string;
}

export async function simulatedGatewayBalanceOf(records: Records): Promise<number> {
  return (await records.get<Account>(SIMULATED_GATEWAY_PROVIDER, ACCOUNT, CURRENCY))?.balance ?? 0;
}

/** Rupiah in, or out where there are fewer than none. */
export async function addToBalance(records: Records, amount: number): Promise<void> {
  await records.insert(SIMULATED_GATEWAY_PROVIDER, ACCOUNT, CURRENCY, { balance: 0 });
  await records.update<Account>(SIMULATED_GATEWAY_PROVIDER, ACCOUNT, CURRENCY, ({ balance }) => ({
    balance: balance + amount,
  }));
}

export async function addEntry(
  records: Records,
  entry: Omit<Entry, 'id' | 'status' | 'created' | 'updated'>,
  at: Date,
): Promise<void> {
  const id = `txn_${randomUUID()}`;
  const moment = at.toISOString();
  const whole: Entry = { ...entry, id, status: 'SUCCESS', created: moment, updated: moment };
  await records.insert(SIMULATED_GATEWAY_PROVIDER, ENTRY, id, whole);
}

/** All that was paid under a reference, the latest first. */
export const paymentsOf = (records: Records, reference_id: string): Promise<Entry[]> =>
  records.list<Entry>(SIMULATED_GATEWAY_PROVIDER, ENTRY, {
    where: { reference_id, type: 'PAYMENT' },
  });

export const listEntries = (
  records: Records,
  options: { limit: number; where?: object; before?: string },
): Promise<Entry[]> => records.list<Entry>(SIMULATED_GATEWAY_PROVIDER, ENTRY, options);

/** What was paid out came back: the statement says so of the same line. */
export async function reverseEntry(records: Records, productId: string, at: Date): Promise<void> {
  const entry = await records.find<Entry>(
    SIMULATED_GATEWAY_PROVIDER,
    ENTRY,
    'product_id',
    productId,
  );
  if (entry === undefined) return;
  const updated = at.toISOString();
  await records.update<Entry>(SIMULATED_GATEWAY_PROVIDER, ENTRY, entry.id, (now) => ({
    ...now,
    status: 'REVERSED',
    updated,
  }));
}
