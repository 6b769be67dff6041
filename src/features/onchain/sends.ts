import { type EvmNetwork, isChainKey } from '#chains/evm/port.ts';
import { managedAddresses } from '#features/crypto-wallets/crypto-wallets.ts';
import { feeTermsFor } from '#features/fee-settings/fee-settings.ts';
import { hold } from '#features/wallet-holds/wallet-holds.ts';
import { fail } from '#kernel/http/error.ts';
import { defineSchedule, type Job, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { collectFeeJob } from './collect-fee.ts';
import { endOpen } from './end-open.ts';
import { type ExecuteSendDeps, executeSend, givenUp, type Sent } from './execute-send.ts';
import { toAppError } from './faults.ts';
import { beside, checkFunds } from './funds.ts';
import { type OrderText, readOrder, wrong } from './order.ts';
import { platformFee } from './platform-fee.ts';
import { feeReference, sendReference } from './references.ts';
import { findSend, insertSend, type Send } from './store.ts';

export type SendsDeps = Pick<Kernel, 'db' | 'vault' | 'clock' | 'jobs' | 'log' | 'config'> & {
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
  const { db } = given;
  const feeJob = collectFeeJob(given);
  const deps: ExecuteSendDeps & Pick<Kernel, 'log'> = { ...given, feeJob };

  return {
    async send(user_id, operation, request) {
      const known = await findSend(db, operation);
      const send = known ?? (await begin(given, user_id, operation, request));
      if (send.user_id !== user_id) throw new Error(`${operation} is another user's`);
      if (send.status === 'FAILED')
        throw fail('PROVIDER_REJECTED', send.failure ?? 'It was not sent');
      return executeSend(deps, send);
    },
    jobs: [feeJob as Job],
    schedules: [
      defineSchedule({
        name: 'onchain.end-open',
        cron: '* * * * *',
        run: ({ signal }) => endOpen(deps, signal),
      }),
    ],
  };
}

/**
 * Checks everything, then writes the send down and sets aside what it and its fee take: from then on
 * it happens, whatever becomes of us.
 */
async function begin(
  { db, clock, config, evm, fx }: SendsDeps,
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
  const terms = await feeTermsFor(db, config, from.client_id);
  const fee = await platformFee(fx, order, terms);
  const treasury = evm.keys.treasury.address;
  const gasPricePoints = BigInt(terms.gas_points);
  const { wallet_address: address } = from;
  const gas = await checkFunds({ from: address, order, fee, treasury, gasPricePoints });
  const { token_contract, to: destination, units } = order;
  const send = {
    ...{ operation, chain_id, token_symbol, token_contract, destination, units, treasury },
    fee_units: fee,
    gas_points: terms.gas_points,
  };
  const holds = [
    { reference: sendReference(operation), token_contract, units, gas: gas.send },
    { reference: feeReference(operation), token_contract, units: fee, gas: gas.fee },
  ];
  const holding = await hold({ db, chain, address }, holds, (tx) =>
    insertSend(tx, send, from, clock.now()),
  ).catch((error: unknown) => {
    throw toAppError(error, chain);
  });
  if (holding === 'unmanaged') throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  // Another attempt has begun it in the meantime, and holds what it takes.
  if (holding === 'unwritten') {
    const begun = await findSend(db, operation);
    if (begun === undefined) throw givenUp();
    return begun;
  }
  if ('short' in holding) throw beside(chain, order.asset, holding.short);
  return holding.held;
}
