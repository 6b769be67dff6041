import { FORBIDDEN } from '#chains/destinations.ts';
import {
  destinationsOf,
  type NetworkCode,
} from '#features/ramps/exchange-wallets/exchange-wallets.ts';
import type { Db } from '#kernel/db/db.ts';
import { defineEffect, type Effect, type Settled } from '#kernel/effects/effect.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import type { Operation } from '#kernel/ledger/ledger.ts';
import { postAllWithin } from '#kernel/ledger/post.ts';
import { endDiscrepancies, noteDiscrepancy } from '#kernel/reconciliation/discrepancies.ts';
import type { ExchangeNetwork, Withdrawal as Sent } from '#providers/exchange/port.ts';
import { conversionAccounts } from './accounts.ts';
import { recordConversionSteps } from './audit.ts';
import type { ConversionDeps } from './deps.ts';
import {
  type ConversionWithdrawal,
  findWithdrawal,
  markWithdrawalRefused,
  markWithdrawn,
} from './order-store.ts';
import { withdrawalOperations } from './postings.ts';
import { retryLater } from './retry.ts';
import { getJob, markCompleted } from './store.ts';

export type WithdrawalEffect = Effect<ConversionWithdrawal, Sent>;

/** The exchange executes a signed request within seconds or never: one that it has not seen by then never happens. */
export const UNSEEN = { forMs: 10 * 60_000, code: 'NOT_SEEN' };
export const PAUSES = { firstMs: 2000, maxMs: 600_000 };
const AT_ONCE = 10;
const KIND = 'conversion-withdrawal';

/**
 * USDC from the exchange to its owner. The exchange accepts a reference twice, so that the withdrawal is requested
 * once, and looked up afterwards until it has arrived or failed.
 */
export const withdrawalEffect = ({
  db,
  exchange,
  clock,
  evm,
}: Omit<ConversionDeps, 'effects'>): WithdrawalEffect =>
  defineEffect<ConversionWithdrawal, Sent>({
    kind: KIND,
    provider: 'exchange',
    repeatable: false,
    unseen: UNSEEN,
    pauses: PAUSES,
    concurrency: AT_ONCE,
    open: findWithdrawal,
    names: ({ reference }) => [`conversion-withdrawal:${reference}`],
    call: async ({ reference, network, wallet_address, amount }) => {
      // The wallet may have been saved before the list forbade it.
      const why = await destinationsOf(network as NetworkCode, evm).forbids(wallet_address);
      if (why !== undefined)
        return refused('FORBIDDEN_DESTINATION', `The primary wallet ${FORBIDDEN[why]}`);
      const answer = await exchange.withdraw({
        reference,
        network: network as ExchangeNetwork,
        address: wallet_address,
        units: amount,
      });
      return answer.kind === 'done' ? unknown('It is on its way') : answer;
    },
    lookUp: async (row, { openedAt }) =>
      verifyWithdrawn(
        db,
        row,
        await exchange.findWithdrawal({ reference: row.reference, since: openedAt }),
      ),
    settle: (tx, row, value) => settleAll(tx, [{ row, value }]),
    settleAll,
    refuse: async (tx, { withdrawal_id, job_id, reference }, { code, message }) => {
      await endDiscrepancies(tx, KIND, [reference]);
      await markWithdrawalRefused(tx, withdrawal_id);
      const step = 'CONVERSION_WITHDRAWAL_REFUSED';
      await retryLater(tx, clock, job_id, { code, message, step });
      return undefined;
    },
  });

/** In one posting, because all of them move the house's accounts. */
async function settleAll(
  tx: Db,
  all: readonly Settled<ConversionWithdrawal, Sent>[],
): Promise<void> {
  const house = await conversionAccounts(tx);
  const operations: Operation[] = [];
  await endDiscrepancies(
    tx,
    KIND,
    all.map(({ row }) => row.reference),
  );
  for (const { row, value } of all)
    operations.push(...withdrawalOperations(await book(tx, row, value), house));
  await postAllWithin(tx, operations);
}

async function book(
  tx: Db,
  { withdrawal_id, reference, job_id }: ConversionWithdrawal,
  { id, arriving, fee, txHash }: Sent,
): Promise<{ reference: string; arrived: bigint; fee: bigint }> {
  const done = { exchange_id: id, arrived: arriving, fee, tx_hash: txHash ?? null };
  await markWithdrawn(tx, withdrawal_id, done);
  await markCompleted(tx, job_id);
  const job = await getJob(tx, job_id);
  await recordConversionSteps(tx, 'CONVERSION_COMPLETED', [job], { tx_hash: txHash });
  return { reference, arrived: arriving, fee };
}

/** The exchange's answer, as far as it can be booked. */
async function verifyWithdrawn(
  db: Db,
  { amount, reference }: ConversionWithdrawal,
  found: Outcome<Sent | undefined>,
): Promise<Outcome<Sent | undefined>> {
  if (found.kind !== 'done' || found.value === undefined) return found;
  const { status, arriving, fee } = found.value;
  if (status === 'FAILED') return refused('WITHDRAWAL_FAILED', 'The exchange has turned it down');
  if (status === 'PROCESSING') return unknown('It is on its way');
  const reported = arriving + fee;
  if (reported !== amount) {
    // Another sum is neither booked nor given up: it is recorded for a person.
    await noteDiscrepancy(db, { kind: KIND, reference, asset: 'USDC', ordered: amount, reported });
    return unknown('The exchange tells another sum');
  }
  return done(found.value);
}
