import { findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { readPolicyMarket } from '#features/fiat/fx/fx.ts';
import { spendGatewayCost } from '#features/fiat/payouts/payouts.ts';
import { requesterOf } from '#kernel/access/requester.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import type { Market } from '#kernel/money/cost.ts';
import { money } from '#kernel/money/money.ts';
import { transact } from '#kernel/transact.ts';
import { type ConversionActor, recordConversionSteps } from './audit.ts';
import { conversionPolicy } from './conversion-policy.ts';
import type { ConversionDeps } from './deps.ts';
import { type PayoutEffect, recordPayouts } from './payout.ts';
import { conversionHoldOperation } from './postings.ts';
import { reconcile, requireMatch } from './reconcile.ts';
import { type ConversionJob, getJob, insertJob, jobOfOperation, type NewJob } from './store.ts';
import { MAX_AMOUNT, MIN_AMOUNT, RUPIAH } from './terms.ts';

export interface Disbursement {
  readonly wallet_id: number;
  /** In rupiah, as the caller has typed it. */
  readonly amount: string;
  /** The request's own id: a repetition finds its job. */
  readonly operation: string;
  readonly by: ConversionActor;
}

type Deps = ConversionDeps & { readonly payoutEffect: PayoutEffect };

/**
 * Sends a user's rupiah to the exchange. Throws AMOUNT_BELOW_MINIMUM, WALLET_NOT_FOUND,
 * RECONCILIATION_FAILED, INSUFFICIENT_BALANCE, and DISBURSEMENT_FAILED where the gateway will not pay.
 * Where it has not answered the job goes on by itself.
 */
export async function startDisbursement(deps: Deps, input: Disbursement): Promise<ConversionJob> {
  const { db, effects, payoutEffect } = deps;
  const job = (await jobOfOperation(db, input.operation)) ?? (await openJob(deps, input));
  const ending = await effects.drive(payoutEffect, String(job.job_id));
  if (ending.state === 'refused') {
    const { job_id } = job;
    const { code } = ending.why;
    throw fail('DISBURSEMENT_FAILED', 'The disbursement failed', { details: { job_id, code } });
  }
  return getJob(db, job.job_id);
}

async function openJob(deps: Deps, { wallet_id, amount, operation, by }: Disbursement) {
  const { user_id } = by.caller;
  const units = unitsOf(amount);
  const wallet = await findFiatWallet(deps.db, { user_id }, wallet_id);
  if (!wallet) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  if (wallet.currency !== 'IDR') throw wrongField('wallet_id', 'must be an IDR wallet');
  const found = await reconcile(deps);
  requireMatch(found, 403);
  const { reconciliation_id } = found;
  const { account_id } = wallet;
  const { client_id } = by.caller;
  const job = { user_id, client_id, account_id, amount: units, reconciliation_id, operation };
  return begin(deps, job, { by, market: await readPolicyMarket(deps.fx) });
}

function unitsOf(amount: string): bigint {
  const { units } = money('IDR', amount);
  if (units < MIN_AMOUNT)
    throw fail('AMOUNT_BELOW_MINIMUM', 'Minimum amount is 200,000 IDR', {
      details: { minimum_amount: 200_000 },
    });
  if (units > MAX_AMOUNT) throw wrongField('amount_idr', `must be at most ${MAX_AMOUNT / RUPIAH}`);
  if (units % RUPIAH !== 0n) throw wrongField('amount_idr', 'must be whole rupiah');
  return units;
}

/** The job, its hold, and the effect that pays it out, in one transaction. */
const begin = (
  deps: Deps,
  given: NewJob,
  { by, market }: { readonly by: ConversionActor; readonly market: Market | undefined },
): Promise<ConversionJob> =>
  transact(deps.db, async (tx) => {
    const { clock, effects, payoutEffect, policies, prices } = deps;
    const job = await insertJob(tx, given, clock.now());
    // The same request, twice at once: the other one has begun it.
    if (!job) throw fail('CONFLICT', 'The request is under way');
    await policies.decide(tx, conversionPolicy(job, market, by.request));
    const cost = { name: 'transfers to the exchange', cost: prices('gateway.payout') };
    await spendGatewayCost(tx, deps, cost, requesterOf(by.caller, by.request));
    await effects.begin(tx, payoutEffect, String(job.job_id));
    await recordPayouts(tx, [job]);
    await recordConversionSteps(tx, 'CONVERSION_STARTED', [job], { by });
    await postWithin(tx, conversionHoldOperation(job));
    return job;
  });
