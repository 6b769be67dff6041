import { type EvmNetwork, isChainKey, type Quote } from '#chains/evm/port.ts';
import { managedAddresses } from '#features/crypto-wallets/crypto-wallets.ts';
import { feeTermsFor } from '#features/fee-settings/fee-settings.ts';
import {
  createPlatformFee,
  FEE_GAS_TIMES,
  moveCall,
  type Spend,
  setAside,
  toAppError,
} from '#features/wallet-spending/wallet-spending.ts';
import type { AnyEffect } from '#kernel/effects/effect.ts';
import { fail } from '#kernel/http/error.ts';
import { defineSchedule, type Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { endOpen } from './end-open.ts';
import { type ExecuteSendDeps, executeSend, givenUp, type Sent } from './execute-send.ts';
import { tellLack, tellShortage } from './funds.ts';
import { type OrderText, readOrder, wrong } from './order.ts';
import { platformFee } from './platform-fee.ts';
import { feeReference, sendReference } from './references.ts';
import { sendFees } from './send-fees.ts';
import { findSend, insertSend, type NewSend, type Send } from './store.ts';

export type SendsDeps = Pick<Kernel, 'db' | 'vault' | 'clock' | 'log' | 'config' | 'effects'> & {
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
  readonly effects: readonly AnyEffect[];
  readonly schedules: readonly Schedule[];
}

/** Sends from managed wallets (contract: POST /onchain/execute). */
export function createSends(given: SendsDeps): Sends {
  const { db } = given;
  const fee = createPlatformFee(given, sendFees);
  const deps: ExecuteSendDeps & Pick<Kernel, 'log'> = { ...given, fee };

  return {
    async send(user_id, operation, request) {
      const known = await findSend(db, operation);
      const { send, quote } = known
        ? { send: known }
        : await begin(given, user_id, operation, request);
      if (send.user_id !== user_id) throw new Error(`${operation} is another user's`);
      if (send.status === 'FAILED')
        throw fail('PROVIDER_REJECTED', send.failure ?? 'It was not sent');
      return executeSend(deps, send, { quote });
    },
    effects: [fee],
    schedules: [
      defineSchedule({
        name: 'onchain.end-open',
        cron: '* * * * *',
        run: ({ signal }) => endOpen(deps, signal),
      }),
    ],
  };
}

/** A send that is written down, and what it costs where that was asked just now. */
interface Begun {
  readonly send: Send;
  readonly quote?: Quote | undefined;
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
): Promise<Begun> {
  const { chain_id, wallet_address, token_symbol } = request;
  if (!isChainKey(chain_id)) throw wrong('chain_id', 'is not a supported chain');
  const chain = evm.chains[chain_id];
  const order = readOrder(chain, request);
  const [from] = await managedAddresses(db, { user_id }, { chain_id, wallet_address });
  if (!from) throw fail('WALLET_NOT_FOUND', `You have no wallet of that address on ${chain_id}`);
  const terms = await feeTermsFor(db, config, from.client_id);
  const fee = await platformFee(fx, order, terms);
  const { token_contract, to: destination, units } = order;
  const treasury = evm.keys.treasury.address;
  const { gas_points } = terms;
  const send = {
    ...{ operation, chain_id, token_symbol, token_contract, destination, units, treasury },
    ...{ fee_units: fee, gas_points },
  };
  const holding = await setAside(
    { db, chain, address: from.wallet_address },
    spendsOf(send),
    (tx) => insertSend(tx, send, from, clock.now()),
  ).catch((error: unknown) => {
    throw toAppError(error, chain, tellLack);
  });
  if (holding === 'unmanaged') throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  // Another attempt has begun it in the meantime, and holds what it takes.
  if (holding === 'unwritten') {
    const begun = await findSend(db, operation);
    if (begun === undefined) throw givenUp();
    return { send: begun };
  }
  if ('short' in holding) throw tellShortage(chain, order.asset, holding.short);
  if ('fault' in holding) throw toAppError(holding.fault, chain, tellLack);
  return { send: holding.held, quote: holding.quotes[0] };
}

/** The send itself and, where there is one, its fee. */
function spendsOf({
  operation,
  token_contract,
  destination,
  units,
  fee_units,
  treasury,
  gas_points,
}: NewSend): Spend[] {
  const gasPricePoints = BigInt(gas_points);
  const main = {
    reference: sendReference(operation),
    ...{ token_contract, units },
    call: { ...moveCall(token_contract, destination, units), gasPricePoints },
  };
  if (fee_units === 0n) return [main];
  const fee = {
    reference: feeReference(operation),
    ...{ token_contract, units: fee_units, gasTimes: FEE_GAS_TIMES },
    call: { ...moveCall(token_contract, treasury, fee_units), gasPricePoints },
  };
  return [main, fee];
}
