import type { Cause } from '#kernel/cause.ts';
import type { Db } from '#kernel/db/db.ts';
import type { Outcome, Refusal } from './outcome.ts';

/** Who makes a call, and what is known only there. */
export interface EffectAttempt<S = undefined> {
  /**
   * What only the request knows that began it, such as a card's number. Nothing in a job, nor in
   * another request: what needs it cannot be called there, only looked up.
   */
  readonly secret: S | undefined;
  /** A caller waits for it; false in a job. */
  readonly isInline: boolean;
  /** For whom, as the caller of `drive` has said. Nothing in a job. */
  readonly owner: string | undefined;
  readonly signal: AbortSignal | undefined;
  /** Service time of the intent, for what depends on its age. */
  readonly openedAt: Date;
  /**
   * In the transaction that does what cannot be taken back, such as signing: it stays this attempt's
   * until that ends. Throws LostAttempt where the effect has ended, or is another attempt's by now.
   */
  permit(tx: Db): Promise<void>;
}

/** One that has ended how it ended, and is booked. */
export interface Settled<R, T> {
  readonly row: R;
  readonly value: T;
  /** What has led to it, for what is emitted: a batch has several. */
  readonly cause?: Cause;
}

/**
 * A call to the outside whose answer may get lost. `R` is the row of the intent, `T` what the
 * counterparty answers, `S` what only the first request knows.
 *
 * An error thrown by `open`, `settle` or `refuse` undoes that step and leaves the effect open.
 */
export interface Effect<R, T, S = undefined> {
  /** Lower case with dots and dashes: names the queue `effect.<kind>` and the label of the metric. */
  readonly kind: string;
  /** Whom it calls, in the words of its provider's folder; the kind where it says nothing. */
  readonly provider?: string;
  /** The intent's row, ended or not. Nothing when it is there no more: then nothing is to be done. */
  open(db: Db, id: string): Promise<R | undefined>;
  /** For people, the row also of one that has ended, where `open` answers only what is still to be done. */
  find?(db: Db, id: string): Promise<R | undefined>;
  /** What it is called elsewhere: in the keys of the ledger, as the references of transactions. */
  names?(row: R): readonly string[];
  /** Makes the call. Answers `unknown` wherever the call may have arrived. */
  call(row: R, attempt: EffectAttempt<S>): Promise<Outcome<T>>;
  /**
   * What became of it, by our own reference; `done(undefined)` when it was never seen there. Without
   * it the call itself is made again, which only a repeatable one may be.
   */
  lookUp?(row: R, attempt: EffectAttempt): Promise<Outcome<T | undefined>>;
  /** Books it, in the transaction that ends the effect; posts to the ledger last. */
  settle(tx: Db, row: R, value: T): Promise<void>;
  /** Many at once in one transaction, where rows that all of them change make that worth while. */
  settleAll?(tx: Db, all: readonly Settled<R, T>[]): Promise<void>;
  /**
   * Gives back what was set aside, in the transaction that ends the effect. False where it may still
   * happen after all: the transaction is undone, and the effect stays open.
   */
  refuse(tx: Db, row: R, why: Refusal): Promise<boolean | undefined>;
  /** The counterparty knows the call by our reference, so that any number of calls do it once. */
  readonly repeatable: boolean;
  /** Only one attempt at a time may act, and only the one that has the lease ends it as refused. */
  readonly isExclusive?: boolean;
  /** It may be begun again after it has ended, because what it reports has changed. */
  readonly reopens?: boolean;
  /** The job leaves it to the request for so long. */
  readonly headStartMs?: number;
  /** The job asks after a pause as long as the effect is old, within these. */
  readonly pauses?: { readonly firstMs: number; readonly maxMs: number };
  /**
   * What the counterparty has not seen for so long after the call never left us: it ends as refused, with
   * this code. Longer than any call may be on its way. Without it the effect stays open, and is counted. What is
   * repeatable is called again instead.
   */
  readonly unseen?: { readonly forMs: number; readonly code: string };
  readonly concurrency?: number;
  /** Its outcome is usually known by then; what stays open for longer waits for a person. Two hours unless it says so. */
  readonly usuallyMs?: number;
}

/** How it stands after it was driven. */
export type EffectEnd<T> =
  /** `value` where this very drive has settled it. */
  | { readonly state: 'settled'; readonly value?: T }
  | { readonly state: 'refused'; readonly why: Refusal }
  /** `details` are those of the `unknown` that this drive was answered. */
  | { readonly state: 'open'; readonly cause: string; readonly details?: unknown };

/** Any of them, for lists: what its methods take is the definer's business. */
export type AnyEffect = Effect<unknown, unknown, unknown>;

const HEAD_START_MS = 60_000;
const USUALLY_MS = 2 * 3_600_000;
const PAUSES = { firstMs: 60_000, maxMs: 3_600_000 };

export const headStartOf = ({ headStartMs = HEAD_START_MS }: AnyEffect): number => headStartMs;
/** A call counted at that time that would begin later than this might find that another attempt looks it up. */
export const callUntilOf = (effect: AnyEffect, at: Date): Date =>
  new Date(at.getTime() + headStartOf(effect) / 2);
export const usuallyOf = ({ usuallyMs = USUALLY_MS }: AnyEffect): number => usuallyMs;
export const pausesOf = ({ pauses = PAUSES }: AnyEffect) => pauses;

/** As the table has it, and so that its queue has room for its own name. */
const KIND = /^[a-z][a-z0-9.-]{0,59}$/;

/** Checks what would otherwise show on the day that an answer gets lost. */
export function defineEffect<R, T, S = undefined>(effect: Effect<R, T, S>): Effect<R, T, S> {
  if (!KIND.test(effect.kind)) throw new Error(`${effect.kind} is not a name for an effect`);
  if (!effect.repeatable && !effect.lookUp)
    throw new Error(`${effect.kind} can be neither repeated nor looked up`);
  if (effect.unseen && effect.repeatable)
    throw new Error(`${effect.kind} is called again where it was not seen, and never given up`);
  if (effect.unseen && effect.unseen.forMs <= headStartOf(effect))
    throw new Error(`${effect.kind} is given up while its request may be at it`);
  return effect;
}

/** The effect has ended, or is another attempt's by now: what this one was about to do must not be. */
export class LostAttempt extends Error {
  override readonly name = 'LostAttempt';
}
