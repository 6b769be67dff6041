import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { Clock } from '#kernel/clock.ts';
import type { BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import { done, type Outcome, unknown } from '../../kernel/provider-call.ts';
import { meaningOf } from '../code-table.ts';
import { type HostCall, hostCaller } from './call.ts';
import { entriesOf } from './camt-054.ts';
import { pain001 } from './pain-001.ts';
import { reportedStatusOf } from './pain-002.ts';
import {
  type BankHost,
  HOST_REFERENCE_MAX,
  type HostAccount,
  type HostCurrency,
  type HostPayment,
  type HostPaymentState,
  hostBankOf,
  type PayeeCheck,
  plainAccount,
} from './port.ts';
import { HOST_DUPLICATES } from './status-codes.ts';

export interface BankHostSettings {
  url(): string;
  readonly key: string;
  readonly clock: Clock;
  readonly debtor: { readonly name: string; readonly bic: string };
  /** Our account for each currency. */
  readonly accounts: ReadonlyMap<HostCurrency, string>;
}

/** A bank's HTTPS door for ISO 20022 messages (decision 81). */
export function bankHost(settings: BankHostSettings): BankHost {
  const call = hostCaller(settings);
  return {
    currencies: [...settings.accounts.keys()],
    createPayment: (payment) => createPayment(settings, call, payment),
    findPayment: (reference) => findPayment(call, reference),
    verifyPayee: (currency, account, name) => verifyPayee(call, currency, account, name),
    statement: (window, after) => statement(call, window, after),
  };
}

/** ISO's references are shorter than most of ours, and of plain characters. */
const REFERENCE = new RegExp(`^[0-9A-Za-z/?:().,'+_-]{1,${HOST_REFERENCE_MAX}}$`);

async function createPayment(
  { clock, debtor, accounts }: BankHostSettings,
  call: HostCall,
  payment: HostPayment,
): Promise<Outcome<HostPaymentState>> {
  const { reference, money } = payment;
  const account = accounts.get(money.asset);
  if (account === undefined || !REFERENCE.test(reference))
    throw new Error(`The bank host cannot pay ${reference} in ${money.asset}`);
  const body = pain001(payment, { ...debtor, account }, clock.now());
  const sent = await call({
    name: 'submit payment',
    method: 'POST',
    path: '/iso20022/payments',
    headers: { 'content-type': 'application/xml', 'idempotency-key': reference },
    body,
  });
  if (sent.kind === 'unknown') return sent;
  if (sent.kind === 'refused') return refusedOrKnown(call, reference, sent);
  const id = /\/([^/]{1,100})$/.exec(String(sent.value.headers['location'] ?? ''))?.[1];
  if (id === undefined) return unknown('accepted without a location');
  const state = await reportOf(
    call,
    reference,
    `/iso20022/payments/${encodeURIComponent(id)}/status`,
  );
  // The bank has it: what becomes of it is asked later.
  if (state.kind !== 'done' || !state.value) return done({ id, reference, status: 'PENDING' });
  if (!meaningOf(HOST_DUPLICATES, state.value.failureCode)) return done({ ...state.value, id });
  const refusal = { kind: 'refused', code: state.value.failureCode ?? '', message: 'A repetition' };
  return refusedOrKnown(call, reference, refusal as Outcome<never> & { kind: 'refused' });
}

/** A refusal counts only where the bank knows no payment of that name: an earlier try may have made it. */
async function refusedOrKnown(
  call: HostCall,
  reference: string,
  refusal: Extract<Outcome<never>, { kind: 'refused' }>,
): Promise<Outcome<HostPaymentState>> {
  const found = await findPayment(call, reference);
  if (found.kind === 'done' && found.value) return done(found.value);
  if (found.kind !== 'done') return unknown(`refused by ${refusal.code}, and not looked up`);
  const isRepetition =
    refusal.status === CONFLICT || meaningOf(HOST_DUPLICATES, refusal.code) !== undefined;
  return isRepetition ? unknown(`refused by ${refusal.code}, and not found`) : refusal;
}
const CONFLICT = 409;

async function findPayment(
  call: HostCall,
  reference: string,
): Promise<Outcome<HostPaymentState | undefined>> {
  const query = new URLSearchParams({ endToEndId: reference });
  const found = await reportOf(call, reference, `/iso20022/payments/status?${query}`);
  if (found.kind !== 'done' || found.value?.status !== 'COMPLETED') return found;
  const returned = await returnOf(call, reference, query);
  if (returned.kind !== 'done') return returned;
  const { value: failureCode } = returned;
  return failureCode === undefined
    ? found
    : done({ ...found.value, status: 'FAILED', failureCode });
}

/** `done(undefined)` where the bank knows no such payment. */
async function reportOf(
  call: HostCall,
  reference: string,
  path: string,
): Promise<Outcome<HostPaymentState | undefined>> {
  const reply = await call({ name: 'payment status', method: 'GET', path });
  if (reply.kind === 'refused') return reply.status === 404 ? done(undefined) : unknown(reply.code);
  if (reply.kind !== 'done') return reply;
  const state = reportedStatusOf(reply.value.text, reference);
  return state ? done({ ...state, id: '' }) : unknown('a report that is not understood');
}

/** Once settled a payment stays so in its report: that it came back is an entry of its own. */
async function returnOf(
  call: HostCall,
  reference: string,
  query: URLSearchParams,
): Promise<Outcome<string | undefined>> {
  const path = `/iso20022/notifications?${query}`;
  const reply = await call({ name: 'notifications of a payment', method: 'GET', path });
  if (reply.kind !== 'done') return reply.kind === 'refused' ? unknown(reply.code) : reply;
  const entries = entriesOf(reply.value.text);
  if (entries === undefined) return unknown('notifications that are not understood');
  const back = entries.find((entry) => entry.kind === 'return' && entry.reference === reference);
  return done(back?.returned);
}

const STATEMENT_PAGE = '500';

async function statement(
  call: HostCall,
  { from, to }: BookWindow,
  after?: string,
): Promise<Outcome<BookPage>> {
  const query = new URLSearchParams({
    from: from.toISOString(),
    to: to.toISOString(),
    limit: STATEMENT_PAGE,
    ...(after !== undefined && { after }),
  });
  const path = `/iso20022/notifications?${query}`;
  const reply = await call({ name: 'notifications', method: 'GET', path });
  if (reply.kind !== 'done') return reply.kind === 'refused' ? unknown(reply.code) : reply;
  const entries = entriesOf(reply.value.text);
  if (entries === undefined) return unknown('notifications that are not understood');
  const next = /[?&]after=([^&>]+)[^>]*>;\s*rel="next"/.exec(
    String(reply.value.headers['link'] ?? ''),
  )?.[1];
  const lines = entries.map(({ returned: _reason, ...line }) => line);
  return done({ lines, ...(next !== undefined && { next: decodeURIComponent(next) }) });
}

/** The results of the rulebooks of verification of payee, and of confirmation of payee. */
const CheckReply = Type.Object({
  result: Type.String({ maxLength: 10 }),
  matchedName: Type.Optional(Type.String({ maxLength: 140 })),
});
const RESULTS: ReadonlyMap<string, PayeeCheck['result']> = new Map([
  ['MTCH', 'MATCH'],
  ['CMTC', 'CLOSE_MATCH'],
  ['NMTC', 'NO_MATCH'],
  ['NOAP', 'NOT_POSSIBLE'],
]);
/** A person waits for it. */
const CHECK_MS = 3000;

async function verifyPayee(
  call: HostCall,
  currency: HostCurrency,
  { bankCode, accountNumber }: HostAccount,
  name: string,
): Promise<Outcome<PayeeCheck>> {
  const bank = hostBankOf(currency, bankCode);
  if (bank === undefined) return done({ result: 'NOT_POSSIBLE' });
  const agent =
    'bic' in bank ? { bic: bank.bic } : { clearingSystem: bank.system, memberId: bank.member };
  const reply = await call({
    name: 'verify payee',
    method: 'POST',
    path: '/payee-verifications',
    body: { name, account: { id: plainAccount(accountNumber), currency, agent } },
    timeoutMs: CHECK_MS,
  });
  if (reply.kind !== 'done') return reply;
  const { json } = reply.value;
  const result = Value.Check(CheckReply, json) ? RESULTS.get(json.result) : undefined;
  if (result === undefined || !Value.Check(CheckReply, json))
    return unknown('a verification that is not understood');
  const isNamed = result === 'CLOSE_MATCH' && json.matchedName !== undefined;
  return done({ result, ...(isNamed && { suggestedName: json.matchedName }) });
}
