import { isChainKey } from '#chains/evm/chains.ts';
import type { EvmNetwork } from '#chains/evm/network.ts';
import { managedAddresses } from '#features/crypto-wallets/crypto-wallets.ts';
import { feeTermsFor } from '#features/fee-settings/fee-settings.ts';
import { fail } from '#kernel/http/error.ts';
import { defineSchedule, type Job, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { type CarryOutDeps, carryOut, OPEN_MS, type Sent } from './carry-out.ts';
import { collectFeeJob } from './collect-fee.ts';
import { checkFunds } from './funds.ts';
import { type OrderText, readOrder, wrong } from './order.ts';
import { platformFee } from './platform-fee.ts';
import { findSend, insertSend, pendingSends, type Send } from './store.ts';

export type SendsDeps = Pick<Kernel, 'db' | 'vault' | 'clock' | 'jobs' | 'log'> & {
  readonly evm: EvmNetwork;
  readonly fx: ExchangeRates;
};

export interface SendRequest extends OrderText {
  readonly wallet_address: string;
  readonly chain_id: string;
}

export interface Sends {
  /**
   * Sends from a wallet of that user and waits for the receipt. The same operation again is the same
   * send. Throws WALLET_NOT_FOUND, VALIDATION_ERROR or INSUFFICIENT_FUNDS before anything is written
   * down, and what `carryOut` throws after that.
   */
  send(user_id: number, operation: string, request: SendRequest): Promise<Sent>;
  readonly jobs: readonly Job[];
  readonly schedules: readonly Schedule[];
}

/** Sends from managed wallets (contract: POST /onchain/execute). */
export function createSends(given: SendsDeps): Sends {
  const { db, clock } = given;
  const feeJob = collectFeeJob(given);
  const deps: CarryOutDeps = { ...given, feeJob };

  return {
    async send(user_id, operation, request) {
      const known = await findSend(db, operation);
      const send = known ?? (await begin(given, user_id, operation, request));
      if (send.user_id !== user_id) throw new Error(`${operation} is another user's`);
      if (send.status === 'FAILED')
        throw fail('PROVIDER_REJECTED', send.failure ?? 'It was not sent');
      return carryOut(deps, send);
    },
    jobs: [feeJob as Job],
    schedules: [
      defineSchedule({
        name: 'onchain.end-open',
        cron: '* * * * *',
        async run({ signal }) {
          const before = new Date(clock.now().getTime() - OPEN_MS);
          for (const send of await pendingSends(db, before, AT_ONCE)) {
            if (signal.aborted) return;
            await endQuietly(deps, given.log, send);
          }
        },
      }),
    ],
  };
}

const AT_ONCE = 50;

/** One that cannot be ended must not keep the others from it; it stays open and is tried again. */
async function endQuietly(deps: CarryOutDeps, log: Kernel['log'], send: Send): Promise<void> {
  try {
    await carryOut(deps, send);
  } catch (error) {
    log.warn({ operation: send.operation, err: error }, 'An open send was not confirmed');
  }
}

/** Checks everything, then writes the send down: from then on it happens, whatever becomes of us. */
async function begin(
  { db, clock, evm, fx }: SendsDeps,
  user_id: number,
  operation: string,
  request: SendRequest,
): Promise<Send> {
  const { chain_id, wallet_address, token_symbol } = request;
  if (!isChainKey(chain_id)) throw wrong('chain_id', 'is no supported chain');
  const chain = evm.chains[chain_id];
  const order = readOrder(chain, request);
  const [from] = await managedAddresses(db, { user_id }, { chain_id, wallet_address });
  if (!from) throw fail('WALLET_NOT_FOUND', `You have no wallet of that address on ${chain_id}`);
  const terms = await feeTermsFor(db, from.client_id);
  const fee = await platformFee(fx, order, terms);
  const treasury = evm.keys.treasury.address;
  const gasPricePoints = BigInt(terms.gas_points);
  await checkFunds({ from: from.wallet_address, order, fee, treasury, gasPricePoints });
  const { token_contract, to: destination, units } = order;
  const written = await insertSend(
    db,
    {
      ...{ operation, chain_id, token_symbol, token_contract, destination, units, treasury },
      fee_units: fee,
      gas_points: terms.gas_points,
    },
    from,
    clock.now(),
  );
  const send = written ?? (await findSend(db, operation));
  if (!send) throw new Error(`${operation} was neither written nor found`);
  return send;
}
