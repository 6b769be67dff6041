import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { noteActed } from '#kernel/cause.ts';
import { monotonicMs } from '#kernel/clock.ts';
import { refuseDryRun } from '#kernel/dry-run.ts';
import {
  callUntilOf,
  type Effect,
  type EffectAttempt,
  type EffectEnd,
  headStartOf,
  LostAttempt,
} from './effect.ts';
import {
  countCall,
  type EffectRow,
  findEffect,
  lockAttempt,
  type NewEffect,
  recordSteps,
  type Step,
  takeLease,
} from './effect-store.ts';
import { done, type Outcome, refused, unknown } from './outcome.ts';
import { type DriveOptions, type Intent, knownOf, type Runner } from './runner.ts';

interface Driving<R, S> extends DriveOptions<R, S> {
  /** A caller waits for it; false in a job. */
  readonly isInline: boolean;
}

const POLL_MS = 20;
const POLL_MAX_MS = 500;
/** Also what was not seen outside when that was asked, before anything is made of it. */
type CallAnswer<T> = Outcome<T> | { readonly kind: 'unseen'; readonly askedAt: Date };

/** Everything about one go at one effect. */
interface Drive<R, T, S> {
  readonly runner: Runner;
  readonly effect: Effect<R, T, S>;
  readonly id: string;
  readonly opening: NewEffect;
  readonly row: R;
  readonly attempt: EffectAttempt<S>;
  readonly lease: string | undefined;
  readonly steps: Step[];
}

/**
 * One go: the call where none was made, else the look-up (or the call again, where that does nothing
 * twice); then what is certain is booked. A call without an answer is looked up once, at once.
 */
export async function drive<R, T, S>(
  runner: Runner,
  effect: Effect<R, T, S>,
  id: string,
  driving: Driving<R, S>,
): Promise<EffectEnd<T>> {
  refuseDryRun(`${effect.provider ?? effect.kind} ${effect.kind}`);
  noteActed();
  const { db } = runner;
  const turn = await takeTurn(runner, effect, id, driving);
  if ('state' in turn) return turn;
  const { lease, opened } = turn;
  const opening = { kind: effect.kind, id, openedAt: opened.opened_at };
  const row = driving.row ?? (await effect.open(db, id));
  if (row === undefined) return abandon(runner, effect, opening);
  const attempt = attemptOf(opening, lease, driving);
  const go: Drive<R, T, S> = { runner, effect, id, opening, row, attempt, lease, steps: [] };
  try {
    const isFirst = driving.intent !== undefined || opened.calls === 0;
    const heard = isFirst ? await callFirst(go, driving.intent) : await lookUpOrCall(go);
    if (heard.kind === 'unseen') return await concludeUnseen(go, heard.askedAt);
    return await conclude(go, heard);
  } catch (error) {
    await recordFailure(go, error);
    if (!(error instanceof LostAttempt)) throw error;
    return endingNow(runner, effect, id, 'Another attempt has taken it over');
  }
}

/** Keeps the steps that were taken before the failure, and releases the lease for other attempts. */
async function recordFailure<R, T, S>(go: Drive<R, T, S>, error: unknown): Promise<void> {
  const { runner, opening, lease, steps } = go;
  const at = runner.clock.now().toISOString();
  const text = error instanceof Error ? error.message : String(error);
  const failed: Step = { at, step: 'fail', note: text };
  await recordSteps(runner.db, opening, lease, [...steps, failed]).catch((err: unknown) =>
    runner.log.warn({ err, effect: opening.kind, id: opening.id }, 'A failure was not noted'),
  );
}

interface Turn {
  readonly lease: string | undefined;
  readonly opened: Pick<EffectRow, 'opened_at' | 'calls'>;
}

/** The right to act, or how it has ended; waits for another attempt where there is patience. */
async function takeTurn<R, T, S>(
  runner: Runner,
  effect: Effect<R, T, S>,
  id: string,
  { intent, owner, patienceMs = 0 }: Driving<R, S>,
): Promise<Turn | EffectEnd<T>> {
  const { db, clock } = runner;
  const key = { kind: effect.kind, id };
  if (intent)
    return { lease: intent.attempt, opened: { opened_at: intent.beganAt.toISOString(), calls: 1 } };
  const since = monotonicMs();
  for (let pause = POLL_MS; ; pause = Math.min(pause * 2, POLL_MAX_MS)) {
    const found = await findEffect(db, key);
    if (found?.state !== 'OPEN') return endingOf(effect, id, found);
    if (!effect.isExclusive) return { lease: undefined, opened: found };
    const at = clock.now();
    const until = new Date(at.getTime() + headStartOf(effect));
    const lease = { attempt: randomUUID(), owner, until };
    const taken = await takeLease(db, key, lease, at);
    if (taken) return { lease: lease.attempt, opened: taken };
    if (monotonicMs() - since >= patienceMs)
      return { state: 'open', cause: 'Another attempt is at it' };
    await sleep(pause);
  }
}

function endingOf<T>(
  { kind }: { readonly kind: string },
  id: string,
  row: EffectRow | undefined,
): EffectEnd<T> {
  if (row === undefined) throw new Error(`There is no effect ${kind} ${id}`);
  if (row.state === 'SETTLED') return { state: 'settled' };
  if (row.state === 'OPEN') return { state: 'open', cause: 'It is open' };
  return { state: 'refused', why: refused(row.code ?? 'REFUSED', row.message ?? '') };
}

/** The effect's present state, which another attempt may have changed. */
async function endingNow<T>(
  { db }: Runner,
  { kind }: { readonly kind: string },
  id: string,
  cause: string,
): Promise<EffectEnd<T>> {
  const found = await findEffect(db, { kind, id });
  return found?.state === 'OPEN' ? { state: 'open', cause } : endingOf({ kind }, id, found);
}

function attemptOf<S>(
  opening: NewEffect,
  lease: string | undefined,
  driving: Pick<Driving<unknown, S>, 'secret' | 'isInline' | 'owner' | 'signal'>,
): EffectAttempt<S> {
  return {
    secret: driving.secret,
    isInline: driving.isInline,
    owner: driving.owner,
    signal: driving.signal,
    openedAt: new Date(opening.openedAt),
    async permit(tx) {
      if (!(await lockAttempt(tx, opening, lease)))
        throw new LostAttempt(`${opening.kind} ${opening.id}`);
    },
  };
}

/** The first call; counted before it is made, by `begin` where that was just now. */
async function callFirst<R, T, S>(
  go: Drive<R, T, S>,
  intent: Intent | undefined,
): Promise<CallAnswer<T>> {
  if (intent) return callUntil(go, intent.callUntil);
  // Of concurrent attempts one calls, and the others look up what it did.
  return (await callCounted(go, true)) ?? lookUpOrCall(go);
}

async function callAgain<R, T, S>(go: Drive<R, T, S>): Promise<CallAnswer<T>> {
  const heard = await callCounted(go, false);
  if (heard === undefined) throw new LostAttempt(`${go.effect.kind} ${go.id}`);
  return heard;
}

/** Nothing where it is not this attempt's to call. */
async function callCounted<R, T, S>(
  go: Drive<R, T, S>,
  isFirst: boolean,
): Promise<CallAnswer<T> | undefined> {
  const { runner, effect, opening, lease } = go;
  const at = runner.clock.now();
  const isCounted = await countCall(runner.db, opening, { attempt: lease, isFirst, at });
  return isCounted ? callUntil(go, callUntilOf(effect, at)) : undefined;
}

/** This process may have been suspended; later than that another attempt may be looking it up. */
async function callUntil<R, T, S>(go: Drive<R, T, S>, time: Date): Promise<CallAnswer<T>> {
  return go.runner.clock.now() < time ? callNow(go) : unknown('Too late to be called');
}

async function callNow<R, T, S>(go: Drive<R, T, S>): Promise<CallAnswer<T>> {
  const outcome = await go.effect.call(go.row, go.attempt);
  recordStep(go, 'call', outcome);
  if (outcome.kind !== 'unknown' || !go.effect.lookUp) return outcome;
  // It may have arrived all the same, and then the caller need not wait for the job.
  const found = await lookUp(go);
  return found.kind === 'unseen' ? outcome : found;
}

/** After a call that may have been made. */
async function lookUpOrCall<R, T, S>(go: Drive<R, T, S>): Promise<CallAnswer<T>> {
  if (!go.effect.lookUp) return callAgain(go);
  const found = await lookUp(go);
  return found.kind === 'unseen' && go.effect.repeatable ? callAgain(go) : found;
}

async function lookUp<R, T, S>(go: Drive<R, T, S>): Promise<CallAnswer<T>> {
  // Before the question: this process may be suspended while it is answered, and a call may come in then.
  const unseen = { kind: 'unseen', askedAt: go.runner.clock.now() } as const;
  const found = await go.effect.lookUp?.(go.row, { ...go.attempt, secret: undefined });
  if (found === undefined) return unseen;
  recordStep(go, 'look-up', found);
  if (found.kind !== 'done') return found;
  return found.value === undefined ? unseen : done(found.value);
}

/** What was not seen for long enough after the call never left us. */
async function concludeUnseen<R, T, S>(go: Drive<R, T, S>, askedAt: Date): Promise<EffectEnd<T>> {
  const { unseen } = go.effect;
  const calledBefore = new Date(askedAt.getTime() - (unseen?.forMs ?? 0));
  if (!unseen || go.attempt.openedAt > calledBefore)
    return conclude(go, unknown('It was not seen there'));
  return conclude(go, refused(unseen.code, 'It was never seen there'), calledBefore);
}

async function conclude<R, T, S>(
  go: Drive<R, T, S>,
  outcome: Outcome<T>,
  calledBefore?: Date,
): Promise<EffectEnd<T>> {
  const { runner, effect, id, opening, row, lease, steps } = go;
  const { conclusion } = knownOf(runner, effect.kind);
  if (outcome.kind === 'done') {
    const { value } = outcome;
    if (await conclusion.settle(opening, { row, value }, steps)) return { state: 'settled', value };
    return reportLateSuccess(go);
  }
  if (outcome.kind === 'refused') {
    if (await conclusion.refuse(opening, row, outcome, { attempt: lease, steps, calledBefore }))
      return { state: 'refused', why: outcome };
    await recordSteps(runner.db, opening, lease, steps);
    return endingNow(runner, effect, id, outcome.message);
  }
  await recordSteps(runner.db, opening, lease, steps);
  const { cause, details } = outcome;
  return { state: 'open', cause, ...(details === undefined ? {} : { details }) };
}

/** The call succeeded after the effect had ended: settled by another attempt, or, wrongly, as refused. */
async function reportLateSuccess<R, T, S>(go: Drive<R, T, S>): Promise<EffectEnd<T>> {
  const { runner, effect, id, opening, lease, steps } = go;
  await recordSteps(runner.db, opening, lease, steps);
  const ending = await endingNow<T>(runner, effect, id, 'It was not open any more');
  if (ending.state !== 'refused') return ending;
  // What it did is not booked, and its hold was released: a person has to correct that.
  const cause = 'It was done after it had been given up';
  const { code } = ending.why;
  runner.log.error(
    { effect: effect.kind, id, code },
    'An effect was done after it had been given up',
  );
  return { state: 'open', cause };
}

/** The intent's row was deleted, for example with its account. */
async function abandon<R, T, S>(
  runner: Runner,
  effect: Effect<R, T, S>,
  opening: NewEffect,
): Promise<EffectEnd<T>> {
  const why = refused('GONE', 'What it was for is not there any more');
  await knownOf(runner, effect.kind).conclusion.abandon(opening, why);
  return endingNow(runner, effect, opening.id, why.message);
}

function recordStep<R, T, S>(
  go: Drive<R, T, S>,
  step: Step['step'],
  outcome: Outcome<unknown>,
): void {
  const at = go.runner.clock.now().toISOString();
  const noted = noteOf(outcome);
  go.steps.push({ at, step, outcome: outcome.kind, ...(noted !== undefined && { note: noted }) });
}

function noteOf(outcome: Outcome<unknown>): string | undefined {
  if (outcome.kind === 'unknown') return outcome.cause;
  if (outcome.kind === 'refused') return `${outcome.code}: ${outcome.message}`;
  return outcome.value === undefined ? 'not seen' : undefined;
}
