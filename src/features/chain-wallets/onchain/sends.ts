import { setTimeout as sleep } from 'node:timers/promises';
import { checkDestination } from '#chains/destinations.ts';
import {
  ChainError,
  type ChainListener,
  type EvmNetwork,
  type ExecutedTransaction,
  hasFailed,
  isChainKey,
  isExecuted,
  type Quote,
} from '#chains/evm/port.ts';
import {
  type ManagedAddress,
  managedAddresses,
} from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import {
  createPlatformFee,
  FEE_GAS_TIMES,
  fromRefusal,
  moveCall,
  reserve,
  type Spend,
  toSpendingAppError,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { feeTermsFor } from '#features/fiat/fee-settings/fee-settings.ts';
import { readPolicyMarket } from '#features/fiat/fx/fx.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { monotonicMs } from '#kernel/clock.ts';
import type { Db } from '#kernel/db/db.ts';
import type { AnyEffect, EffectEnd } from '#kernel/effects/effect.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { RequestFacts } from '#kernel/http/declare/route.ts';
import type { Schedule } from '#kernel/jobs/job.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Market } from '#kernel/money/cost.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import { decimal } from './decimal.ts';
import { emitSend } from './events.ts';
import { onchainPlatformFee, sendFees } from './fees.ts';
import {
  createChainChecks,
  type FinalityDeps,
  followSchedule,
  followSends,
  onChange,
} from './finality.ts';
import { throwShortage, toOnchainShortfall } from './funds.ts';
import type { LogRow } from './log-store.ts';
import { type OrderText, readOrder } from './order.ts';
import { createSendEffect, type SendEffect, UNSENT } from './send-effect.ts';
import { sendPolicy } from './send-policy.ts';
import {
  findSend,
  insertSend,
  type NewSend,
  onchainFeeReference,
  type Send,
  sendReference,
} from './store.ts';

export type SendsDeps = Pick<
  Kernel,
  'db' | 'vault' | 'clock' | 'log' | 'config' | 'effects' | 'policies'
> & {
  readonly evm: EvmNetwork;
  readonly fx: ExchangeRates;
};

export interface OnchainSendRequest extends OrderText {
  readonly wallet_address: string;
  readonly chain_id: string;
}

/** A send with its receipt and its record in the log. */
export interface SentTransfer {
  readonly transaction: ExecutedTransaction;
  readonly log: LogRow;
}

export interface Sends {
  /**
   * Sends from a wallet of that user and waits for its confirmations. The same operation again is the
   * same send. Throws WALLET_NOT_FOUND, VALIDATION_ERROR or INSUFFICIENT_FUNDS before anything is
   * written down; after that INSUFFICIENT_FUNDS or PROVIDER_REJECTED when it will never happen, and
   * PROVIDER_UNAVAILABLE while that is not known.
   */
  send(
    user_id: number,
    operation: string,
    request: OnchainSendRequest,
    facts?: RequestFacts,
  ): Promise<SentTransfer>;
  readonly effects: readonly AnyEffect[];
  readonly schedules: readonly Schedule[];
  /** For the chains to tell. */
  readonly hear: ChainListener;
}

/** How long callers wait for the confirmations after the first, and between two looks. */
const WAIT_MS = 60_000;
const LOOK_MS = 1_000;
const RETRY_S = 5;

/** Sends from managed wallets (contract: POST /onchain/execute). */
export function createSends(given: SendsDeps): Sends {
  const { db, effects } = given;
  const fee = createPlatformFee(given, sendFees);
  const looks = createChainChecks(given);
  const effect = createSendEffect({ ...given, fee, looks });
  const deps = { ...given, fee, effect };

  return {
    async send(user_id, operation, request, facts) {
      const known = await findSend(db, operation);
      const { send, intent, quote } = known
        ? { send: known }
        : await begin(deps, { user_id, operation, request, facts });
      if (send.user_id !== user_id) throw new Error(`${operation} is another user's`);
      if (send.status === 'FAILED')
        throw fail('PROVIDER_REJECTED', send.failure ?? 'It was not sent');
      if (!isBooked(send)) {
        const secret = quote && { secret: quote };
        const ending = await effects.drive(effect, operation, { intent, ...secret });
        if (ending.state !== 'settled') throw errorOf(ending);
      }
      return confirmed(deps, send);
    },
    effects: [effect, fee],
    schedules: [followSchedule(deps, looks)],
    hear: (row) => onChange(deps, effect.kind, row),
  };
}

/** What follows is finality's. */
const isBooked = ({ is_settled, look_at }: Send): boolean => is_settled || look_at !== null;

function errorOf(
  ending: Exclude<EffectEnd<ExecutedTransaction>, { readonly state: 'settled' }>,
): Error {
  if (ending.state === 'open')
    return fail('PROVIDER_UNAVAILABLE', ending.cause, { retryAfter: RETRY_S });
  const { why } = ending;
  if (why.code !== UNSENT) return fromRefusal(why);
  return fail('PROVIDER_UNAVAILABLE', `${why.message}, and nothing was sent`);
}

/** Waits for the confirmations of what the chain has executed. */
async function confirmed(deps: FinalityDeps, send: Send): Promise<SentTransfer> {
  const chain = deps.evm.chains[send.chain_id];
  try {
    for (const since = monotonicMs(); ; await sleep(LOOK_MS)) {
      const { row, log } = (await followSends(deps, send)) ?? {};
      if (row && hasFailed(row))
        throw new ChainError('reverted', `${row.hash} was reverted on chain`);
      if (row && isExecuted(row) && log?.status === 'CONFIRMED') return { transaction: row, log };
      if (monotonicMs() - since >= WAIT_MS)
        throw new ChainError('pending', 'It does not have its confirmations yet');
    }
  } catch (error) {
    throw toSpendingAppError(error, chain, toOnchainShortfall);
  }
}

type BeginDeps = SendsDeps & { readonly effect: SendEffect };

interface Asked {
  readonly user_id: number;
  readonly operation: string;
  readonly request: OnchainSendRequest;
  readonly facts: RequestFacts | undefined;
}

/** A send that is written down, and what is known of it just now, where this request has begun it. */
interface Begun {
  readonly send: Send;
  readonly intent?: Intent | undefined;
  readonly quote?: Quote | undefined;
}

/**
 * Checks everything, then writes the send down and sets aside what it and its fee take: from then on
 * it happens, whatever becomes of us.
 */
async function begin(deps: BeginDeps, asked: Asked): Promise<Begun> {
  const { db, config, evm, fx } = deps;
  const { user_id, operation, request } = asked;
  const { chain_id, wallet_address, token_symbol } = request;
  if (!isChainKey(chain_id)) throw wrongField('chain_id', 'is not a supported chain');
  const chain = evm.chains[chain_id];
  const order = readOrder(chain, request, config);
  const [from] = await managedAddresses(db, { user_id }, { chain_id, wallet_address });
  if (!from) throw fail('WALLET_NOT_FOUND', `You have no wallet of that address on ${chain_id}`);
  await checkDestination(evm, order.to, {
    field: 'to_address',
    from: from.wallet_address,
    // An exact transfer of USDC pays an order (decisions: Purchases and marketplace).
    except: order.asset === 'USDC' ? [chain.contracts.marketplace] : [],
  });
  const terms = await feeTermsFor(db, config, from.client_id);
  const fee = await onchainPlatformFee(fx, order, terms);
  const { token_contract, to: destination, units } = order;
  const treasury = evm.keys.treasury.address;
  const { gas_points } = terms;
  const send = {
    operation,
    chain_id,
    token_symbol,
    token_contract,
    destination,
    units,
    treasury,
    fee_units: fee,
    gas_points,
  };
  const wish = { send, from, facts: asked.facts, market: await readPolicyMarket(fx) };
  const holding = await reserve({ db, chain, address: from.wallet_address }, spendsOf(send), (tx) =>
    storeSend(deps, tx, wish),
  ).catch((error: unknown) => {
    throw toSpendingAppError(error, chain, toOnchainShortfall);
  });
  if (holding === 'unmanaged') throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  // Another attempt has begun it in the meantime, and holds what it takes.
  if (holding === 'unwritten') {
    const begun = await findSend(db, operation);
    if (begun) return { send: begun };
    throw fail('PROVIDER_UNAVAILABLE', 'The transfer was cancelled before it was sent; retry', {
      retryAfter: RETRY_S,
    });
  }
  if ('short' in holding) throw throwShortage(chain, order.asset, holding.short);
  if ('fault' in holding) throw toSpendingAppError(holding.fault, chain, toOnchainShortfall);
  return { ...holding.held, quote: holding.quotes[0] };
}

interface SendWish extends Pick<Asked, 'facts'> {
  readonly send: NewSend;
  readonly from: ManagedAddress;
  readonly market: Market | undefined;
}

/** The send, its effect and who asked for it; nothing where another attempt was quicker. */
async function storeSend(
  { clock, effects, effect, policies }: BeginDeps,
  tx: Db,
  { send, from, facts, market }: SendWish,
): Promise<Begun | undefined> {
  const written = await insertSend(tx, send, from, clock.now());
  if (written === undefined) return undefined;
  await policies.decide(tx, sendPolicy(send, from, market, facts));
  emitSend(tx, 'requested', written);
  const { operation, chain_id, token_symbol, token_contract, destination } = send;
  const { user_id, client_id, wallet_address } = from;
  await logActivity(tx, {
    action: 'ONCHAIN_SEND',
    actor: { user_id, client_id },
    subject_user_id: user_id,
    details: {
      operation,
      chain_id,
      wallet_address,
      token_symbol,
      token_contract,
      destination,
      amount: decimal(token_symbol, send.units),
      platform_fee: decimal(token_symbol, send.fee_units),
    },
    ...(facts && { request: facts }),
  });
  return { send: written, intent: await effects.begin(tx, effect, operation) };
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
    token_contract,
    units,
    call: { ...moveCall(token_contract, destination, units), gasPricePoints },
  };
  if (fee_units === 0n) return [main];
  const fee = {
    reference: onchainFeeReference(operation),
    token_contract,
    units: fee_units,
    gasTimes: FEE_GAS_TIMES,
    call: { ...moveCall(token_contract, treasury, fee_units), gasPricePoints },
  };
  return [main, fee];
}
