import { randomUUID } from 'node:crypto';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';
import type { Instructed, Pain001 } from './read-pain-001.ts';
import { BANK_HOST_SIMULATOR } from './simulated-holders.ts';

export type HostBooks = Pick<World, 'records' | 'clock'>;

/** ISO's statuses that this bank gives. */
export interface HostOrder extends Instructed {
  readonly status: 'ACCP' | 'ACSC' | 'RJCT';
  /** ISO's reason code. */
  readonly reason?: string;
  readonly returned?: string;
  readonly messageId: string;
  readonly accountServicerId: string;
  readonly created: string;
}

/** A file that was taken, with what became of each payment at once. */
export interface HostFile {
  readonly id: string;
  readonly messageId: string;
  readonly created: string;
  readonly payments: readonly { readonly endToEndId: string; readonly rejected?: string }[];
}

/** A booked movement on an account of the customer. */
export interface HostBooking {
  readonly id: string;
  readonly endToEndId: string;
  readonly currency: string;
  readonly amount: string;
  readonly direction: 'DBIT' | 'CRDT';
  readonly account: string;
  readonly party: string;
  readonly note: string;
  readonly reason?: string;
  readonly at: string;
}

const ORDER = 'order';
const SUBMISSION = 'submission';
const MESSAGE = 'message';
const BOOKING = 'booking';
const ACCOUNT = 'account';

/** Whole and hundredths of each currency that the bank keeps accounts in, and where its payees' banks are. */
const PLACES: Readonly<
  Record<string, { country: string; decimals: number; account: RegExp; member?: RegExp }>
> = {
  SGD: { country: 'SG', decimals: 2, account: /^\d{6,20}$/, member: /^SGIBG:\d{7}$/ },
  AUD: { country: 'AU', decimals: 2, account: /^\d{5,10}$/, member: /^AUBSB:\d{6}$/ },
  INR: {
    country: 'IN',
    decimals: 2,
    account: /^\d{9,18}$/,
    member: /^INFSC:[A-Z]{4}0[A-Z0-9]{6}$/,
  },
  USD: { country: 'US', decimals: 2, account: /^\d{4,17}$/, member: /^USABA:\d{9}$/ },
  VND: { country: 'VN', decimals: 0, account: /^\d{6,19}$/ },
};
/** What is on each of the customer's accounts to begin with, in its smallest units. */
const FUNDS = 10_000_000_000n;

export const hostPlaces = Object.keys(PLACES);

/** Takes a file once: the repeated message is refused as a whole, a repeated payment by itself. */
export async function takeFile(
  world: HostBooks,
  initiation: Pain001,
  end?: 'ACSC',
): Promise<HostFile> {
  const { records } = world;
  return records.exclusively(BANK_HOST_SIMULATOR, ORDER, 'all', async (own) => {
    const books = { ...world, records: own };
    const id = randomUUID();
    const created = world.clock.now().toISOString();
    const { messageId } = initiation;
    const isNew = await own.insert(BANK_HOST_SIMULATOR, MESSAGE, messageId, { id });
    const refusal = isNew ? sumsFault(initiation) : 'DU01';
    const payments = [];
    for (const payment of initiation.payments) {
      const { endToEndId } = payment;
      const rejected = refusal ?? (await accept(books, messageId, payment));
      payments.push({ endToEndId, ...(rejected !== undefined && { rejected }) });
      if (rejected === undefined && end) await settleOrder(books, endToEndId);
    }
    const submission: HostFile = { id, messageId, created, payments };
    await own.insert(BANK_HOST_SIMULATOR, SUBMISSION, id, submission);
    return submission;
  });
}

const sumsFault = ({ count, sum, payments }: Pain001): string | undefined => {
  if (Number(count) !== payments.length) return 'AM18';
  const total = payments.reduce((all, { amount }) => all + Math.round(Number(amount) * 100), 0);
  return sum !== undefined && Math.round(Number(sum) * 100) !== total ? 'AM10' : undefined;
};

/** Stores the payment, accepted or refused; a reason where it is a repetition, which changes nothing. */
async function accept(
  { records, clock }: HostBooks,
  messageId: string,
  payment: Instructed,
): Promise<string | undefined> {
  if ((await hostOrderOf(records, payment.endToEndId)) !== undefined) return 'AM05';
  const fault = faultOf(payment, clock.now()) ?? (await reserve(records, payment));
  const order: HostOrder = {
    ...payment,
    messageId,
    status: fault === undefined ? 'ACCP' : 'RJCT',
    ...(fault !== undefined && { reason: fault }),
    accountServicerId: `FT${randomUUID().replaceAll('-', '').slice(0, 14).toUpperCase()}`,
    created: clock.now().toISOString(),
  };
  await records.insert(BANK_HOST_SIMULATOR, ORDER, payment.endToEndId, order);
  return undefined;
}

const DAY_MS = 86_400_000;

function faultOf(payment: Instructed, now: Date): string | undefined {
  const { currency, creditor, amount, executionDay } = payment;
  const place = PLACES[currency];
  if (place === undefined) return 'AM03';
  const units = unitsOfAmount(payment);
  if (units === undefined) return 'AM12';
  if (units === 0n || amount.startsWith('-')) return 'AM01';
  const isBank =
    (/^[A-Z]{6}[A-Z0-9]{2,5}$/.test(creditor.agent) &&
      creditor.agent.slice(4, 6) === place.country) ||
    place.member?.test(creditor.agent);
  if (!isBank) return 'RC01';
  if (!place.account.test(creditor.account)) return 'AC01';
  if (creditor.name.trim() === '') return 'BE22';
  return Date.parse(executionDay) < now.getTime() - 2 * DAY_MS ? 'DT01' : undefined;
}

/** In the currency's smallest units; undefined where it has more digits. */
export function unitsOfAmount({ amount, currency }: Pick<Instructed, 'amount' | 'currency'>) {
  const decimals = PLACES[currency]?.decimals ?? 2;
  const [, whole, fraction = ''] = /^-?(\d{1,15})(?:\.(\d{1,5}))?$/.exec(amount) ?? [];
  if (whole === undefined || fraction.replace(/0+$/, '').length > decimals) return undefined;
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

/** AM04 where the customer's account has too little. */
async function reserve(records: Records, payment: Instructed): Promise<string | undefined> {
  const units = unitsOfAmount(payment) ?? 0n;
  if ((await hostFundsOf(records, payment.currency)) < units) return 'AM04';
  await addFunds(records, payment.currency, -units);
  return undefined;
}

async function hostFundsOf(records: Records, currency: string): Promise<bigint> {
  const kept = await records.get<{ units: string }>(BANK_HOST_SIMULATOR, ACCOUNT, currency);
  return kept ? BigInt(kept.units) : FUNDS;
}

async function addFunds(records: Records, currency: string, units: bigint): Promise<void> {
  await records.insert(BANK_HOST_SIMULATOR, ACCOUNT, currency, { units: `${FUNDS}` });
  await records.update<{ units: string }>(BANK_HOST_SIMULATOR, ACCOUNT, currency, (kept) => ({
    units: `${BigInt(kept.units) + units}`,
  }));
}

export const hostOrderOf = (records: Records, endToEndId: string) =>
  records.get<HostOrder>(BANK_HOST_SIMULATOR, ORDER, endToEndId);

export const hostFileOf = (records: Records, id: string) =>
  records.get<HostFile>(BANK_HOST_SIMULATOR, SUBMISSION, id);

/** The payee's bank has it; undefined where it is not under way. */
export async function settleOrder({ records, clock }: HostBooks, endToEndId: string) {
  const order = await records.update<HostOrder>(BANK_HOST_SIMULATOR, ORDER, endToEndId, (kept) =>
    kept.status === 'ACCP' ? { ...kept, status: 'ACSC' } : undefined,
  );
  if (order) await book(records, order, { direction: 'DBIT', at: clock.now() });
  return order;
}

/** Refused after it was accepted. */
export async function rejectOrder({ records }: HostBooks, endToEndId: string, reason: string) {
  const order = await records.update<HostOrder>(BANK_HOST_SIMULATOR, ORDER, endToEndId, (kept) =>
    kept.status === 'ACCP' ? { ...kept, status: 'RJCT', reason } : undefined,
  );
  if (order) await addFunds(records, order.currency, unitsOfAmount(order) ?? 0n);
  return order;
}

/** The payee's bank sends it back: the report stays, and an entry has the return. */
export async function returnOrder(
  { records, clock }: HostBooks,
  endToEndId: string,
  reason: string,
) {
  const order = await records.update<HostOrder>(BANK_HOST_SIMULATOR, ORDER, endToEndId, (kept) =>
    kept.status === 'ACSC' && kept.returned === undefined
      ? { ...kept, returned: reason }
      : undefined,
  );
  if (!order) return undefined;
  await addFunds(records, order.currency, unitsOfAmount(order) ?? 0n);
  await book(records, order, { direction: 'CRDT', at: clock.now(), reason });
  return order;
}

async function book(
  records: Records,
  order: HostOrder,
  { at, ...what }: Pick<HostBooking, 'direction'> & { readonly at: Date; readonly reason?: string },
): Promise<void> {
  const { endToEndId, currency, amount, debtorAccount: account, creditor, note } = order;
  const id = `NTRY-${randomUUID().replaceAll('-', '').slice(0, 26)}`;
  const booking: HostBooking = {
    id,
    endToEndId,
    currency,
    amount,
    account,
    party: creditor.name,
    note,
    at: at.toISOString(),
    ...what,
  };
  await records.insert(BANK_HOST_SIMULATOR, BOOKING, id, booking);
}

export const bookingsOf = (
  records: Records,
  options: { readonly limit: number; readonly where?: object; readonly before?: string },
): Promise<HostBooking[]> => records.list<HostBooking>(BANK_HOST_SIMULATOR, BOOKING, options);
