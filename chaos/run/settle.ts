import { setTimeout as pause } from 'node:timers/promises';
import { type Db, run } from '#kernel/db/db.ts';
import type { Finding } from '../checks/findings.ts';
import { type Ended, isDone, type Operation } from '../clients/books.ts';
import type { Call } from '../clients/cast.ts';
import {
  type Ask,
  askAgain,
  asking,
  type ClientDeps,
  isBusy,
  Open,
  Refused,
} from '../clients/client.ts';
import type { Flow } from '../plan/workload.ts';

/** A client's flows, one after another; open ones are left for later. */
export async function playAll(
  flows: readonly Flow[],
  play: (flow: Flow) => Promise<void>,
  begins: () => void = () => undefined,
): Promise<void> {
  for (const flow of flows) {
    begins();
    await play(flow).catch((error: unknown) => {
      if (!(error instanceof Open || error instanceof Refused)) throw error;
    });
  }
}

/**
 * The time after the recovery within which a key has to be free; a longer one is a finding. A slow machine needs
 * seconds, and a request that waits for a chain up to a minute and a half. The lease of a hanging process, which does
 * not occur here, lasts two minutes.
 */
const freeWithinMs = ({ path }: Operation): number =>
  /^\/(onchain|crosschain|cardano|xrpl|idrtoken|mcp|marketplace|agent)\//.test(path)
    ? 100_000
    : 30_000;
/** Longer than any request takes, so that no attempt is given up while the service works on it. */
const EACH_MS = 100_000;
const A_LITTLE_MS = 5_000;

/** Repeats some more times, and slightly longer than a key may be in progress. */
export const patiently = (deps: ClientDeps, healedAt: number): Ask =>
  asking(deps, {
    attempts: 20,
    timeoutMs: EACH_MS,
    pauseMs: 300,
    growth: 1,
    mostMs: EACH_MS,
    busyUntil: (operation) => healedAt + freeWithinMs(operation) + A_LITTLE_MS,
  });

/** Keys that were still in progress that long after everything was healed. */
export const lateKeys = ({ books }: ClientDeps, healedAt: number): Finding[] =>
  books.all().flatMap(({ operation, attempts }): Finding[] => {
    const late = attempts.filter(
      (attempt) => isBusy(attempt) && attempt.at - healedAt > freeWithinMs(operation),
    );
    const last = late.at(-1);
    if (last === undefined) return [];
    const seconds = Math.round((last.at - healedAt) / 1000);
    const what = `in progress ${seconds} s after everything was healed, though no process is at it`;
    return [{ kind: 'key-in-progress', where: operation.path, what, keys: [operation.key] }];
  });

/** Repeats every answered request: the answer has to be the same to the letter. */
export async function askAllAgain(deps: ClientDeps): Promise<Finding[]> {
  const findings = await Promise.all(
    deps.books.all().map(async (entry): Promise<Finding[]> => {
      const before = entry.operation.isBrief ? undefined : entry.ended;
      const after = before && (await askAgain(deps, entry, EACH_MS));
      // An answer that is given only once is `unseen` in the repetition.
      const isSecret = before?.kind === 'done' && after?.kind === 'done-unseen';
      const isAlike = entry.operation.isRefusedAnew && before?.kind === 'refused';
      const textOfEnd = (ended: Ended | undefined) =>
        JSON.stringify(isAlike ? { ...ended, text: '' } : ended);
      const isSame = textOfEnd(before) === textOfEnd(after);
      if (before === undefined || isSame || isSecret) return [];
      const { key, path } = entry.operation;
      const what = `first ${JSON.stringify(before)}, and when asked again ${JSON.stringify(after)}`;
      return [{ kind: 'changed-answer', where: path, what, keys: [key] }];
    }),
  );
  return findings.flat();
}

/** Unfinished work, each as a text. */
const UNFINISHED = `
  select 'card transaction ' || reference_id as open from card_transactions where state = 'PENDING'
  union all select 'send ' || operation from onchain_sends
    where not is_settled or fee_status = 'DUE'
  union all select 'transfer ' || log_id from crosschain_transfers
    where fee_status = 'DUE' or (status = 'BURNED' and mint_started_at is not null)
  union all select 'hold ' || reference from wallet_holds where released_at is null
  union all select 'chain transaction ' || reference from chain_transactions
    where status = 'PENDING' or not is_final
  union all select 'Cardano transaction ' || reference from cardano_transactions
    where state = 'SIGNED' or (state = 'LAPSED') = (booked_at is not null)
      or (state = 'CONFIRMED' and not is_final)
  union all select 'XRPL transaction ' || reference from xrpl_journal where status = 'PENDING'
  union all select 'conversion ' || job_id || ' in ' || status from conversion_jobs
    where status not in ('COMPLETED', 'FAILED')
  union all select 'bank top-up ' || top_up_id from bank_top_ups where status = 'PENDING'
  union all select 'purchase ' || order_id from purchase_orders
    where status in ('PAYING', 'PAID', 'REFUNDING')
  union all select 'rupiah for ' || (r.data ->> 'reference_id') from sandbox.records r
    where r.provider = 'gateway' and r.kind = 'transaction' and r.data ->> 'type' = 'PAYMENT'
      and not exists (select from idr_mints m where m.paid_receipt = r.data ->> 'product_id')
      and not exists (select from idr_unmatched_payments u where u.receipt = r.data ->> 'product_id')
  union all select 'rupiah payment ' || payment_id || ' is owed' from idr_unmatched_payments
    where refund = 'OWED'
  union all select 'payment of ' || order_id from marketplace_orders where is_paying
  union all select 'payment of ' || order_id || ' is seen' from marketplace_payments
    where state = 'SEEN'
  union all select 'talk ' || confirmation_id from agent_confirmations where status = 'CONFIRMED'
  union all select 'webhooks for ' || url from webhooks.endpoints e
    where status <> 'active' or exists (select from webhooks.parked p where p.endpoint_id = e.endpoint_id)
      or place < (select max(position) from events.log l where l.client_id = e.client_id)
  union all select 'events to tell of' from events.outbox
  union all select what || ' ' || place || ' ' || id from work
  union all select 'job ' || name from jobs j where state <> 'dead'
    -- A flow that was removed from a wait leaves its timer, which finds nothing to do.
    and not exists (select from sagas s where j.name = 'saga.' || s.type
      and j.key like s.id || ':%' and j.key <> s.id || ':' || s.version)
  union all select 'schedule ' || name from job_schedules where next_at <= $1::timestamptz
  order by 1`;

/** More than the time for an unknown card transaction, and a round of reconciliation. */
const STEP_S = 16 * 60;
/** As many as fit into the day that keys are kept. */
const STEPS = 60;
/** Work without a change for so long waits for the clock, or for a slow machine: a step of time does no harm. */
const STALE_MS = 2_000;
const MOST_MS = 150_000;
const LOOK_MS = 100;

interface Service {
  readonly db: Db;
  readonly sandbox: Call;
  /** Continues the unfinished flows, as far as the service's state allows. */
  people(): Promise<void>;
  note(what: string): void;
}

/**
 * Moves the service's time until no work is left: schedules resume unfinished work, and people pay what they could not
 * pay before. Answers the remaining open work.
 */
export async function becomeQuiet({ db, sandbox, people, note }: Service): Promise<Finding[]> {
  const since = performance.now();
  let open: string[] = [];
  let wasQuiet = false;
  for (let step = 0; step < STEPS && performance.now() - since < MOST_MS; step += 1) {
    await sandbox('POST /clock', { body: { advance_s: STEP_S } });
    const before = open.join();
    open = await whatStays(db, sandbox);
    // It may wait for a payment that was impossible before.
    if (open.length > 0 && open.join() === before) await people();
    note(`open: ${open.join(', ') || 'nothing'}`);
    // Once more at the end: the reconciliation then sees everything.
    if (open.length === 0 && wasQuiet) return [];
    wasQuiet = open.length === 0;
  }
  return open.map((what) => ({ kind: 'open', where: 'service', what: `${what} never ends` }));
}

/** The open work once nothing has changed for a while; empty as soon as none is left. */
async function whatStays(db: Db, sandbox: Call): Promise<string[]> {
  let open: string[] = [];
  for (let changedAt = performance.now(); performance.now() - changedAt < STALE_MS; ) {
    await pause(LOOK_MS);
    const now = await unfinished(db, sandbox);
    if (now.length === 0) return [];
    if (now.join() !== open.join()) changedAt = performance.now();
    open = now;
  }
  return open;
}

async function unfinished(db: Db, sandbox: Call): Promise<string[]> {
  const { now } = (await sandbox('GET /clock')) as { now: string };
  return (await run<{ open: string }>(db, UNFINISHED, [now])).map(({ open }) => open);
}

export const openEntries = ({ books }: ClientDeps): Finding[] =>
  books
    .all()
    .filter(({ ended }) => ended === undefined)
    .map(({ operation: { key, path }, attempts }) => ({
      kind: 'open',
      where: path,
      what: `it never got an answer: ${JSON.stringify(attempts.slice(-2))}`,
      keys: [key],
    }));

/** Refusals without a cause, and accepted requests that had to be refused. */
export const wrongRefusals = ({ books }: ClientDeps): Finding[] =>
  books.all().flatMap((entry): Finding[] => {
    const { operation, ended } = entry;
    const { key, path, refusal, excuses = [] } = operation;
    if (ended === undefined) return [];
    if (ended.kind === 'refused' && excuses.includes(ended.code ?? '')) return [];
    if (ended.kind === 'refused' && ended.code === refusal && refusal !== undefined) return [];
    if (isDone(entry) && refusal === undefined) return [];
    const wanted = refusal ? `a refusal by ${refusal}` : 'no refusal';
    const what = `${JSON.stringify(ended)} where there should be ${wanted}`;
    return [{ kind: 'refused', where: path, what, keys: [key] }];
  });
