import { AsyncLocalStorage } from 'node:async_hooks';

/** A change of an account that would be posted: units, signed. */
export interface RehearsedLeg {
  readonly account: number;
  readonly amount: bigint;
  readonly held: bigint;
}

/** A call that would be made outside. */
export interface RehearsedCall {
  readonly provider: string;
  readonly operation: string;
}

/** A limit that was looked at, with what is used of it before the operation. */
export interface RehearsedLimit {
  readonly limit_id: string;
  readonly used: string;
  readonly limit: string;
}

/** What an operation would do, as far as it came. */
export interface DryRunNotes {
  readonly legs: RehearsedLeg[];
  readonly events: string[];
  readonly calls: RehearsedCall[];
  readonly messages: string[];
  readonly limits: RehearsedLimit[];
  /** The decision of the policies, where they were asked. */
  policy: unknown;
}

/** An operation that runs in a transaction which is rolled back. */
export interface DryRun {
  readonly notes: DryRunNotes;
  /** A connection for a statement or a transaction of the database, all of them within the one that is rolled back. */
  connect(): unknown;
  /** A statement beside Kysely's, on the same connection. */
  query(text: string, values: readonly unknown[]): Promise<{ readonly rows: unknown[] }>;
  /** Ends the work here, before the call; what it does afterwards fails. */
  stop(call: RehearsedCall): void;
}

const runs = new AsyncLocalStorage<DryRun>();

/** The dry run that the current work belongs to; undefined where it is meant. */
export const dryRunNow = (): DryRun | undefined => runs.getStore();

/** Does work as a part of a dry run. */
export const inDryRun = <T>(run: DryRun, work: () => Promise<T>): Promise<T> => runs.run(run, work);

/** Where a dry run ends: something outside would be called. */
export class DryRunStop extends Error {
  override readonly name = 'DryRunStop';
}

/** Before each call outside: a dry run makes none, and ends here. `name` is `card-network pull`. */
export function refuseDryRun(name: string): void {
  const run = dryRunNow();
  if (run === undefined) return;
  const [provider = name, ...operation] = name.split(' ');
  run.stop({ provider, operation: operation.join(' ') });
  throw new DryRunStop(`A dry run makes no call: ${name}`);
}
