import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { endDiscrepancies, noteDiscrepancy } from '#kernel/reconciliation/discrepancies.ts';
import { transact } from '#kernel/transact.ts';
import type { Deposits } from '#providers/exchange/port.ts';
import { conversionAccounts } from './accounts.ts';
import { allot, type Differing } from './allot.ts';
import type { ConversionDeps } from './deps.ts';
import { noteSteps } from './note.ts';
import { arrivalOperation, payoutOperation } from './postings.ts';
import { allPromised, type ExchangeFunds, fundsOf, readPromised } from './promised.ts';
import { holdUp, waitForExchange } from './store.ts';
import { DEPOSIT, LATE_MS, WAIT_MS } from './terms.ts';
import { mustTell } from './told.ts';
import {
  type ConversionConfirmation,
  confirmJobs,
  countConfirmed,
  listWaiting,
  lockConfirmations,
  markTimeouts,
  notYetWaiting,
  shareOf,
  type Waiting,
} from './waiting-store.ts';

export interface Polled {
  readonly checked: number;
  readonly confirmed: number;
  readonly waiting: number;
  /** Those that have waited for a day or more, found now or before: they are still looked for. */
  readonly timedOut: number;
  readonly balance: ExchangeFunds;
}

/** Looked at together, the oldest first. */
const MOST = 1000;
/** Pay-outs that the gateway is asked for at the same time. */
const ASKED_AT_ONCE = 10;
/** Others may confirm something meanwhile; then it is looked again. */
const TRIES = 5;

/**
 * Looks whether rupiah have come to the exchange, and lets the jobs in scope that they are for go on. A
 * deposit that tells our reference is that job's; the balance alone is proof for what the gateway says
 * it has paid out. Never more is confirmed than the exchange has beyond what was confirmed before.
 */
export async function pollBalance(
  deps: ConversionDeps,
  scope: TenantScope,
  job_id?: number,
): Promise<Polled> {
  const { db } = deps;
  const only = job_id === undefined ? {} : { job_id };
  await waitForExchange(db, scope, job_id);
  const wish = { lateMs: LATE_MS, limit: MOST, ...only };
  const waiting = await listWaiting(db, scope, wish);
  const mine = waiting.filter(({ is_mine }) => is_mine);
  await askGateway(deps, mine);
  const { confirmed, balance } = await confirm(deps, scope, only);
  await markTimeouts(db, scope, { waitMs: WAIT_MS, ...only });
  const looked = new Set(mine.map((job) => job.job_id));
  const left = (await listWaiting(db, scope, wish)).filter((job) => looked.has(job.job_id));
  const late = left.filter(({ status }) => status === 'TIMEOUT').length;
  return {
    checked: mine.length,
    confirmed,
    waiting: left.length - late,
    timedOut: late,
    balance: isEverybody(scope) ? balance : allPromised(await shareOf(db, scope)),
  };
}

/** Everybody's, as long as a poll comes to no end of them and lets some go on. */
export const pollAll = (deps: ConversionDeps, signal: AbortSignal): Promise<void> =>
  pollOn(() => pollBalance(deps, {}), signal);

/** Polls until one has seen all that wait, or has let none of them go on: the next would see the same. */
export async function pollOn(
  poll: () => Promise<Pick<Polled, 'checked' | 'confirmed'>>,
  signal: AbortSignal,
): Promise<void> {
  for (let goesOn = true; goesOn && !signal.aborted; ) {
    const { checked, confirmed } = await poll();
    goesOn = checked >= MOST && confirmed > 0;
  }
}

const isEverybody = ({ client_id, user_id }: TenantScope): boolean =>
  client_id === undefined && user_id === undefined;

/** What the gateway says of pay-outs that it has not ended yet: one that failed waits no more. */
async function askGateway({ payouts }: ConversionDeps, waiting: readonly Waiting[]): Promise<void> {
  for (let from = 0; from < waiting.length; from += ASKED_AT_ONCE) {
    const some = waiting.slice(from, from + ASKED_AT_ONCE);
    await Promise.all(some.map(({ reference_id }) => payouts.look(reference_id)));
  }
}

async function confirm(
  deps: ConversionDeps,
  scope: TenantScope,
  only: { job_id?: number },
): Promise<{ confirmed: number; balance: ExchangeFunds }> {
  for (let tried = 1; ; tried += 1) {
    const done = await tryConfirm(deps, scope, only);
    if (done) return done;
    if (tried === TRIES) throw fail('CONFLICT', 'The balance is being looked at');
  }
}

/** Nothing where somebody else has confirmed something since the balance was read. */
async function tryConfirm(
  deps: ConversionDeps,
  scope: TenantScope,
  only: { job_id?: number },
): Promise<{ confirmed: number; balance: ExchangeFunds } | undefined> {
  const { db, exchange } = deps;
  const counted = await countConfirmed(db);
  // Before the balance: what is traded in between makes what is there look less, never more.
  const promised = await readPromised(db);
  const waiting = await listWaiting(db, scope, { lateMs: LATE_MS, limit: MOST, ...only });
  const balance = mustTell(EXCHANGE, await exchange.balances());
  const funds = async () => fundsOf(balance, promised, await readPromised(db));
  const [oldest] = waiting;
  if (!oldest) return { confirmed: 0, balance: await funds() };
  const deposits = mustTell(EXCHANGE, await exchange.deposits(new Date(oldest.created_at)));
  const reserved = await notYetWaiting(db, notesOf(deposits));
  const spare = balance.idr - promised.idr - reserved;
  const { confirmations, differing } = allot(waiting, deposits, spare);
  for (const one of differing) await noteDiffering(db, one);
  if (confirmations.length === 0) return { confirmed: 0, balance: await funds() };
  const confirmed = await book(deps, confirmations, counted);
  return confirmed === undefined ? undefined : { confirmed, balance: await funds() };
}

async function noteDiffering(db: Db, { job_id, isNew, ...found }: Differing): Promise<void> {
  const { reference_id: reference, amount: ordered, reported } = found;
  await noteDiscrepancy(db, { kind: DEPOSIT, reference, asset: 'IDR', ordered, reported });
  if (isNew) await holdUp(db, job_id, { ...DIFFERS, tryAt: null });
}

const EXCHANGE = 'The exchange';
const DIFFERS = { code: 'DEPOSIT_DIFFERS', message: 'The exchange has got another sum' };
const notesOf = ({ arrived }: Deposits): string[] => arrived.map(({ note }) => note);

const book = (
  { db, payouts }: ConversionDeps,
  confirmations: readonly ConversionConfirmation[],
  counted: number,
): Promise<number | undefined> =>
  transact(db, async (tx) => {
    const house = await conversionAccounts(tx);
    if (!(await lockConfirmations(tx, counted, confirmations.length))) return undefined;
    const jobs = await confirmJobs(tx, confirmations);
    const references = jobs.map(({ reference_id }) => reference_id);
    await endDiscrepancies(tx, DEPOSIT, references);
    await payouts.bookPaid(tx, references);
    await noteSteps(tx, 'CONVERSION_CONFIRMED', jobs);
    // What the gateway has told of before is posted already, and does nothing.
    const operations = jobs.flatMap((job) => [
      payoutOperation(job, house),
      arrivalOperation(job, house),
    ]);
    if (operations.length > 0) await postAllWithin(tx, operations);
    return jobs.length;
  });
