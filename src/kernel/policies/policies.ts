import type { Kysely } from 'kysely';
import { type BatchWriter, createBatchWriter } from '../batch-writer.ts';
import type { Clock } from '../clock.ts';
import type { Db } from '../db/db.ts';
import { providePartitions } from '../db/partition-store.ts';
import type { DB } from '../db/schema.generated.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Vault } from '../secrets/vault.ts';
import { transact } from '../transact.ts';
import { decideByPolicies, type PolicyDecideDeps, type PolicyDecision } from './decide.ts';
import { insertDecision, type NewDecision } from './decision-store.ts';
import type { PolicyOperation } from './operation.ts';

/** Who may pay what, for every feature that moves money outward. */
export interface Policies {
  /** See `decideByPolicies`. */
  decide(tx: Db, operation: PolicyOperation): Promise<PolicyDecision>;
  /** Writes the refusals that wait, so that a list of decisions is complete. */
  flush(): Promise<void>;
}

interface Deps {
  readonly db: Kysely<DB>;
  readonly clock: Clock;
  readonly log: Logger;
  readonly vault: Pick<Vault, 'fingerprint'>;
  readonly metrics: Metrics;
}

export function createPolicyDecisions({ db, clock, log, vault, metrics }: Deps): Policies {
  const dropped = metrics.counter(
    'archipay_policy_refusals_dropped',
    'Refusals by policies that were not kept for back-tests, since too many waited',
    [],
  );
  const faults = metrics.counter(
    'archipay_policy_faults',
    'Policies that could not be computed for an operation, and denied it',
    [],
  );
  const writer = refusalWriter({ db, log, dropped: (count) => dropped({}, count) });
  const provided = new Set<string>();
  const deps: PolicyDecideDeps = {
    clock,
    vault,
    log,
    faulty: () => faults({}),
    keepRefused: writer.add,
    async provide(tx, at) {
      const month = at.toISOString().slice(0, 7);
      if (provided.has(month)) return;
      // What this transaction has made may be rolled back with it.
      if ((await providePartitions(tx, 'public.policy_decisions', at)) === 0) provided.add(month);
    },
  };
  return {
    decide: (tx, operation) => decideByPolicies(deps, tx, operation),
    flush: writer.flush,
  };
}

/** Keeps decisions that refused beside their transactions, which are rolled back. */
const refusalWriter = ({
  db,
  log,
  dropped,
}: Pick<Deps, 'db' | 'log'> & {
  readonly dropped: (count: number) => void;
}): BatchWriter<NewDecision> =>
  createBatchWriter({
    what: 'refusals by policies',
    batchMax: 200,
    waitingMax: 5000,
    log,
    dropped,
    write: (batch) =>
      transact(db, async (tx) => {
        for (const decision of batch) {
          await providePartitions(tx, 'public.policy_decisions', decision.at);
          await insertDecision(tx, decision);
        }
      }),
  });
