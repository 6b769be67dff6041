import type { TenantScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { endDiscrepancies, noteDiscrepancy } from '#kernel/reconciliation/discrepancies.ts';
import { transact } from '#kernel/transact.ts';
import type { Deposits } from '#providers/exchange/port.ts';
import { conversionAccounts } from './accounts.ts';
import { allocate, type Differing } from './allocate.ts';
import { recordConversionSteps } from './audit.ts';
import type { ConversionDeps } from './deps.ts';
import { arrivalOperation, payoutOperation } from './postings.ts';
import { allPromised, type ExchangeFunds, fundsOf, readPromised } from './promised.ts';
import { requireProviderAnswer } from './require-outcome.ts';
import { deferJob, waitForExchange } from './store.ts';
import { DEPOSIT, LATE_MS, WAIT_MS } from './terms.ts';
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
  /** Those that have waited for a day or more: polls still look for them. */
  readonly timedOut: number;
  readonly balance: ExchangeFunds;
}

/** Jobs of one poll, the oldest first. */
const MOST = 1000;
/** Pay-outs that are polled at the gateway at the same time. */
const ASKED_AT_ONCE = 10;
/** Another poll may confirm something meanwhile; then this one reads again. */
const TRIES = 5;

/**
 * Reads which rupiah have arrived at the exchange, and moves their jobs in scope on. A deposit with our reference is
 * that job's; the balance alone proves the arrival of what the gateway has paid out. Never more is confirmed than the
 * exchange has beyond earlier confirmations.
 */
export async function pollBalance(
  deps: ConversionDeps,
  scope: TenantScope,
  job_id?: number,
): Promise<Polled> {
  const { db } = deps;
  const only = job_id === undefined ? {} : { job_id };
  await waitForExchange(db, scope, job_id);
  const limits = { lateMs: LATE_MS, limit: MOST, ...only };
  const waiting = await listWaiting(db, scope, limits);
  const mine = waiting.filter(({ is_mine }) => is_mine);
  await askGateway(deps, mine);
  const { confirmed, balance } = await confirm(deps, scope, only);
  await markTimeouts(db, scope, { waitMs: WAIT_MS, ...only });
  const looked = new Set(mine.map((job) => job.job_id));
  const left = (await listWaiting(db, scope, limits)).filter((job) => looked.has(job.job_id));
  const late = left.filter(({ status }) => status === 'TIMEOUT').length;
  return {
    checked: mine.length,
    confirmed,
    waiting: left.length - late,
    timedOut: late,
    balance: isEverybody(scope) ? balance : allPromised(await shareOf(db, scope)),
  };
}

/** All jobs: polls again while a poll was full and moved some on. */
export const pollAll = (deps: ConversionDeps, signal: AbortSignal): Promise<void> =>
  pollAgain(() => pollBalance(deps, {}), signal);

/** Polls until one has seen all waiting jobs, or has moved none on: the next would see the same. */
export async function pollAgain(
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

/** Polls the pay-outs at the gateway: a failed one ends the wait of its job. */
async function askGateway({ payouts }: ConversionDeps, waiting: readonly Waiting[]): Promise<void> {
  for (let from = 0; from < waiting.length; from += ASKED_AT_ONCE) {
    const some = waiting.slice(from, from + ASKED_AT_ONCE);
    await Promise.all(some.map(({ reference_id }) => payouts.poll(reference_id)));
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

/** Undefined where another poll has confirmed something since the balance was read. */
async function tryConfirm(
  deps: ConversionDeps,
  scope: TenantScope,
  only: { job_id?: number },
): Promise<{ confirmed: number; balance: ExchangeFunds } | undefined> {
  const { db, exchange } = deps;
  const counted = await countConfirmed(db);
  // Read before the balance: a trade in between makes the balance look smaller, never larger.
  const promised = await readPromised(db);
  const waiting = await listWaiting(db, scope, { lateMs: LATE_MS, limit: MOST, ...only });
  const balance = requireProviderAnswer(EXCHANGE, await exchange.balances());
  const funds = async () => fundsOf(balance, promised, await readPromised(db));
  const [oldest] = waiting;
  if (!oldest) return { confirmed: 0, balance: await funds() };
  const deposits = requireProviderAnswer(
    EXCHANGE,
    await exchange.deposits(new Date(oldest.created_at)),
  );
  const reserved = await notYetWaiting(db, notesOf(deposits));
  const unallocated = balance.idr - promised.idr - reserved;
  const { confirmations, differing } = allocate(waiting, deposits, unallocated);
  for (const one of differing) await noteDiffering(db, one);
  if (confirmations.length === 0) return { confirmed: 0, balance: await funds() };
  const confirmed = await book(deps, confirmations, counted);
  return confirmed === undefined ? undefined : { confirmed, balance: await funds() };
}

async function noteDiffering(db: Db, { job_id, isNew, ...found }: Differing): Promise<void> {
  const { reference_id: reference, amount: ordered, reported } = found;
  await noteDiscrepancy(db, { kind: DEPOSIT, reference, asset: 'IDR', ordered, reported });
  if (isNew) await deferJob(db, job_id, { ...DIFFERS, tryAt: null });
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
    await recordConversionSteps(tx, 'CONVERSION_CONFIRMED', jobs);
    // A pay-out that the gateway has reported before is posted already: its key does nothing.
    const operations = jobs.flatMap((job) => [
      payoutOperation(job, house),
      arrivalOperation(job, house),
    ]);
    if (operations.length > 0) await postAllWithin(tx, operations);
    return jobs.length;
  });
