import type { PayoutFlow } from '#features/fiat/payouts/payouts.ts';
import { ending } from '#features/ramps/ramp/ramp.ts';
import type { Db } from '#kernel/db/db.ts';
import { done, type Outcome, unknown } from '#kernel/effects/outcome.ts';
import { type Machine, machineOf } from '#kernel/effects/saga-machine.ts';
import { AppError } from '#kernel/error.ts';
import { postWithin } from '#kernel/ledger/post.ts';
import { giveBackLimits } from '#kernel/policies/give-back.ts';
import { recordIdrTokenStep } from '../audit.ts';
import type { IdrBase, Offramp, PayingBase } from '../deps.ts';
import { emitPayout } from '../events.ts';
import { houseAccounts, paidOutOperation } from '../legs.ts';
import { findRedemptionBurn } from './burn-proof.ts';
import { isOfficeOpen, untilOffice } from './office-hours.ts';
import { markIdrTokenCompleted, markRedeemFailed, redeemOf } from './store.ts';

const MINUTE_MS = 60_000;
const PAUSES = { firstMs: MINUTE_MS, maxMs: 60 * MINUTE_MS };
const AT_ONCE = 10;

const { step, wait, machine } = machineOf<Offramp>();

/**
 * A redemption (contract part 3, States: off-ramp): the tokens are burnt, the money goes to the bank. The money of a
 * failed one stays reserved until an admin refunds it.
 */
export const offrampMachine = (deps: PayingBase, bank: PayoutFlow<Offramp>): Machine<Offramp> =>
  machine({
    type: 'idr-offramp',
    initial: 'begin',
    concurrency: AT_ONCE,
    states: {
      begin: step({
        next: ({ data }) =>
          data.waitsForOffice && !isOfficeOpen(deps.clock.now()) ? 'closed' : 'send',
      }),
      closed: wait({
        wait: 'nothing',
        timeoutMs: () => untilOffice(deps.clock.now()),
        onEvent: 'prove',
        onTimeout: 'prove',
      }),
      // Chains roll blocks back: a burn that has waited is proven once more before it is paid.
      prove: step({
        pauses: PAUSES,
        call: ({ id }) => proveAgain(deps, id),
        // The office may have closed by then, such as after a time without a process.
        next: 'begin',
        onRefused: 'prove',
      }),
      ...deps.payouts.states(bank, {
        pay: 'send',
        wait: 'sent',
        ask: 'ask',
        paid: 'paid',
        failed: 'failed',
      }),
      paid: ending<Offramp>((tx, { id }) => complete(deps, tx, id)),
      failed: ending<Offramp>((tx, { id, data }) => failTransfer(deps, tx, id, data)),
    },
  });

/** A missing burn is neither paid nor given up: it may return, and people see that it is missing. */
async function proveAgain(deps: IdrBase, id: string): Promise<Outcome<unknown>> {
  const {
    burn_tx_hash: hash,
    wallet_address,
    amount_token,
    chain_id,
  } = await redeemOf(deps.db, id);
  try {
    const chain = await findRedemptionBurn(deps, {
      hash,
      from: wallet_address,
      units: amount_token,
    });
    return chain === chain_id ? done(chain) : unknown(`The burn is on ${chain}`);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return unknown(`The burn is not proven any more: ${error.message}`);
  }
}

async function complete(deps: IdrBase, tx: Db, id: string): Promise<void> {
  const { clock, issuer } = deps;
  const redeem = await markIdrTokenCompleted(tx, id, clock.now());
  await recordIdrTokenStep(tx, 'IDR_OFFRAMP_COMPLETED', redeem);
  emitPayout(tx, 'succeeded', redeem);
  await postWithin(tx, paidOutOperation(redeem, await houseAccounts(tx), issuer));
}

async function failTransfer({ clock, log }: IdrBase, tx: Db, id: string, data: Offramp) {
  const failure = data.failure ?? 'The gateway refused the pay-out';
  const redeem = await markRedeemFailed(tx, id, failure, clock.now());
  await giveBackLimits(tx, { operation: id, kind: 'withdrawal' });
  log.warn({ reference: id, failure }, 'A redemption could not be paid out');
  await recordIdrTokenStep(tx, 'IDR_OFFRAMP_FAILED', redeem, { failure });
  emitPayout(tx, 'failed', redeem);
}
