import { setTimeout as sleep } from 'node:timers/promises';
import { monotonicMs } from '#kernel/clock.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import type { Logger } from '#kernel/log.ts';
import type { LedgerReply } from './connection.ts';
import { type JournalRow, pendingBefore } from './journal.ts';
import { type LookUpDeps, lookUp } from './look-up.ts';
import { Submitted } from './wire.ts';

export interface XrplLedgerFollower {
  /** Hands it to the server. What that says of it is not final, and only logged where it is a surprise. */
  submit(row: JournalRow): Promise<FollowedLedger>;
  /** Waits until a ledger has it, submitting again what the server might not have heard. */
  follow(row: JournalRow, taken: FollowedLedger | undefined): Promise<Outcome<JournalRow>>;
}

/** Whether the server has it, wants others before it, or was not heard of. */
export type FollowedLedger = 'taken' | 'not yet' | 'lost';

/** The cause where it certainly never happens. */
export const EXPIRED = 'It is in no ledger, and never will be';
const PATIENCE_MS = 8_000;
const FIRST_PAUSE_MS = 30;
const PAUSE_MAX_MS = 1_000;
/** What the server has taken it passes on by itself; it may have lost it all the same. */
const AGAIN_MS = 4_000;
/** A server that is lost so often in a row is away, and no caller has to wait for it. */
const LOST_MAX = 3;

export function createFollower(deps: LookUpDeps & { readonly log: Logger }): XrplLedgerFollower {
  const { connection, log } = deps;
  const waiting = new Map<string, () => void>();
  connection.onValidated((hash) => waiting.get(hash)?.());

  async function submit(row: JournalRow): Promise<FollowedLedger> {
    const reply = await connection.ask(Submitted, 'submit', { tx_blob: row.blob });
    return takenBy(reply, row, log);
  }

  /** What another process has signed and, since it was killed, not submitted: all later ones wait for it. */
  async function submitEarlier(row: JournalRow): Promise<void> {
    for (const earlier of await pendingBefore(deps.db, row)) await submit(earlier);
  }

  function listen(hash: string) {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    waiting.set(hash, resolve);
    return { heard, end: () => void (waiting.get(hash) === resolve && waiting.delete(hash)) };
  }

  return {
    submit,
    async follow(row, known) {
      const until = monotonicMs() + PATIENCE_MS;
      let taken = known ?? 'not yet';
      let submitted = monotonicMs();
      let lost = 0;
      for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, PAUSE_MAX_MS)) {
        const listener = listen(row.hash);
        const ending = await endingOf(deps, row);
        const isOver = ending !== undefined || lost >= LOST_MAX || monotonicMs() >= until;
        if (!isOver && (taken !== 'taken' || monotonicMs() - submitted >= AGAIN_MS)) {
          if (taken === 'not yet') await submitEarlier(row);
          taken = await submit(row);
          submitted = monotonicMs();
          lost = taken === 'lost' ? lost + 1 : 0;
        }
        if (!isOver) await Promise.race([listener.heard, sleep(pause)]);
        listener.end();
        if (isOver) return ending ?? unknown('No ledger has it yet');
      }
    },
  };
}

function takenBy(
  reply: LedgerReply<{ readonly engine_result: string }>,
  { reference, account }: JournalRow,
  log: Logger,
): FollowedLedger {
  if ('lost' in reply) return 'lost';
  const code = 'error' in reply ? reply.error : reply.result.engine_result;
  if (/^(tes|tefALREADY|terQUEUED)/.test(code)) return 'taken';
  if (code === 'terINSUF_FEE_B')
    log.error({ account }, 'An account of the platform has no XRP for fees: fund it');
  log.info({ reference, code }, 'A submission was not simply accepted');
  // What is refused may be right later; what is wrong for good expires.
  return 'error' in reply || code.startsWith('ter') ? 'not yet' : 'taken';
}

/** Nothing while it may still happen. */
async function endingOf(
  deps: LookUpDeps,
  row: JournalRow,
): Promise<Outcome<JournalRow> | undefined> {
  const seen = row.status === 'PENDING' ? await lookUp(deps, row) : done(row);
  if (seen.kind !== 'done') return seen;
  if (seen.value === undefined) return undefined;
  const { status, result } = seen.value;
  if (status === 'EXPIRED') return unknown(EXPIRED);
  if (status === 'VALIDATED') return done(seen.value);
  return refused(result ?? 'FAILED', `The XRP Ledger refused it: ${result}`);
}
