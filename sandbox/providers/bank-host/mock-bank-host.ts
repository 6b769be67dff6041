import { format } from '#kernel/money/money.ts';
import { done, refused } from '#kernel/provider-call.ts';
import type { MockProviders, MockSetup } from '#src/app/sandbox-door.ts';
import { createRecords, type Records } from '../../records.ts';
import { verifyHolder } from './simulated-holders.ts';
import {
  bookingsOf,
  type HostOrder,
  hostOrderOf,
  hostPlaces,
  takeFile,
  unitsOfAmount,
} from './simulated-orders.ts';

type Mock = MockProviders['bankHost'];
type State = { readonly id: string } & Readonly<Record<'reference', string>>;

const RESULTS = {
  MTCH: 'MATCH',
  CMTC: 'CLOSE_MATCH',
  NMTC: 'NO_MATCH',
  NOAP: 'NOT_POSSIBLE',
} as const;
const PAGE = 500;

/** How a bank is named on the wire: by its BIC, or by its number in the country's list. */
const SYSTEMS: Readonly<Record<string, string>> = {
  SGD: 'SGIBG',
  AUD: 'AUBSB',
  INR: 'INFSC',
  USD: 'USABA',
};
const agentOf = (currency: string, code: string): string =>
  /^[A-Z]{6}[A-Z0-9]{2,5}$/.test(code) ? code : `${SYSTEMS[currency]}:${code.replace('-', '')}`;

/** The bank of mock mode: no bank is called, and what is asked for is paid as it is asked for. */
export function mockBankHost({ kernel: { clock, db } }: MockSetup): Mock {
  const records = createRecords(db);
  return {
    currencies: hostPlaces as unknown as Mock['currencies'],
    async createPayment({ reference, money, to, description }) {
      const payment = {
        endToEndId: reference,
        instructionId: reference,
        orderId: reference,
        amount: format(money),
        currency: money.asset,
        debtorAccount: money.asset,
        executionDay: clock.now().toISOString().slice(0, 10),
        creditor: {
          name: to.accountName,
          account: to.accountNumber,
          agent: agentOf(money.asset, to.bankCode),
        },
        note: description,
      };
      const initiation = { messageId: reference, count: '1', sum: undefined, payments: [payment] };
      await takeFile({ records, clock }, initiation, 'ACSC');
      const order = await hostOrderOf(records, reference);
      if (order === undefined) return refused('FF01', 'The bank refused it', 400);
      return done(stateOf(order));
    },
    async findPayment(reference) {
      const order = await hostOrderOf(records, reference);
      return done(order && stateOf(order));
    },
    async verifyPayee(_currency, { accountNumber }, name) {
      const { result, matchedName } = await verifyHolder(
        records,
        accountNumber.replace(/[\s-]/g, ''),
        name,
      );
      return done({
        result: RESULTS[result],
        ...(matchedName !== undefined && { suggestedName: matchedName }),
      });
    },
    statement: (window, before) => statementOf(records, window, before),
  };
}

/** A page of the bank's bookings as lines, newest first. */
async function statementOf(
  records: Records,
  { from, to }: Parameters<Mock['statement']>[0],
  before: string | undefined,
): ReturnType<Mock['statement']> {
  const all = await bookingsOf(records, { limit: PAGE, ...(before && { before }) });
  const last = all.at(-1);
  const lines = all
    .filter(({ at }) => at >= from.toISOString() && at < to.toISOString())
    .map((booking) => ({
      line: booking.id,
      reference: booking.endToEndId,
      kind: booking.direction === 'DBIT' ? 'payout' : 'return',
      asset: booking.currency as Mock['currencies'][number],
      units: (booking.direction === 'DBIT' ? -1n : 1n) * (unitsOfAmount(booking) ?? 0n),
      at: new Date(booking.at),
    }));
  const isLast = all.length < PAGE || (last?.at ?? '') < from.toISOString();
  return done(isLast || last === undefined ? { lines } : { lines, next: last.id });
}

const stateOf = (order: HostOrder) => {
  const units = unitsOfAmount(order);
  const failureCode = order.returned ?? order.reason;
  const state: State = { id: order.accountServicerId, reference: order.endToEndId };
  const status = order.status === 'ACSC' ? ('COMPLETED' as const) : ('PENDING' as const);
  return {
    ...state,
    status: failureCode === undefined ? status : ('FAILED' as const),
    ...(units !== undefined && { units }),
    ...(failureCode !== undefined && { failureCode }),
  };
};
