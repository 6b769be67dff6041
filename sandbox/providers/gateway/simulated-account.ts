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

/**
 * What the account may be below zero, in whole rupiah: the sandbox begins without money, and its users redeem what
 * they did not pay in through the gateway. Nothing by `POST /gateway/account {"credit": 0}`, as at the real one.
 */
const CREDIT = 10_000_000_000;

interface Account {
  /** Whole rupiah; below zero it is credit. */
  readonly balance: number;
  readonly credit?: number;
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

/** Whether more was sent out than there is. */
export async function isOverdrawn(records: Records): Promise<boolean> {
  const account = await records.get<Account>(SIMULATED_GATEWAY_PROVIDER, ACCOUNT, CURRENCY);
  return (account?.balance ?? 0) < -(account?.credit ?? CREDIT);
}

export async function setCredit(records: Records, credit: number): Promise<Account | undefined> {
  await records.insert(SIMULATED_GATEWAY_PROVIDER, ACCOUNT, CURRENCY, { balance: 0 });
  return records.update<Account>(SIMULATED_GATEWAY_PROVIDER, ACCOUNT, CURRENCY, (now) => ({
    ...now,
    credit,
  }));
}

/** Rupiah in, or out where there are fewer than none. */
export async function addToBalance(records: Records, amount: number): Promise<void> {
  await records.insert(SIMULATED_GATEWAY_PROVIDER, ACCOUNT, CURRENCY, { balance: 0 });
  await records.update<Account>(SIMULATED_GATEWAY_PROVIDER, ACCOUNT, CURRENCY, (now) => ({
    ...now,
    balance: now.balance + amount,
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

export const gatewayEntryOf = (records: Records, id: string): Promise<Entry | undefined> =>
  records.get<Entry>(SIMULATED_GATEWAY_PROVIDER, ENTRY, id);

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
