import type { Address, Hex } from 'viem';
import { refuseDryRun } from '#kernel/dry-run.ts';
import type { ChainClient } from '../client.ts';
import { ChainError, chainFault } from '../fault.ts';
import type { SenderSettings } from '../settings.ts';

const POINTS = 10_000n;
const TRANSFER_GAS = 21_000n;

export interface EvmCall {
  readonly from: Address;
  /** None creates a contract. */
  readonly to?: Address | undefined;
  readonly data?: Hex | undefined;
  readonly value?: bigint | undefined;
  /** Basis points of the node's gas price; the chain's setting when absent. */
  readonly gasPricePoints?: bigint | undefined;
}

/** All that a transaction needs before it takes a nonce. */
export interface PreparedTransaction {
  readonly gas: bigint;
  /** Wei per gas. */
  readonly gasPrice: bigint;
  /** Wei that the gas costs at most. */
  readonly maxGasFee: bigint;
}

/**
 * Simulates the call and prices it. Throws what would make it fail (`reverted`,
 * `insufficient_funds` with wei required and available), before it costs a nonce. Whether the gas can
 * be paid too is for the code that holds or signs it, under its lock.
 */
export async function prepareTransaction(
  client: ChainClient,
  call: EvmCall,
  settings: SenderSettings,
): Promise<PreparedTransaction> {
  const { from: account, to, data, value = 0n } = call;
  try {
    const [price, estimated] = await Promise.all([
      readGasPrice(client, settings),
      estimate(client, call),
    ]);
    const offered = shareOfGas(price, call.gasPricePoints ?? settings.gasPricePoints);
    const gasPrice = lesser(offered, settings.gasPriceCeiling);
    if (gasPrice < price) throw new ChainError('refused', 'The gas price is above our ceiling');
    if (estimated instanceof ChainError) {
      if (estimated.kind !== 'insufficient_funds') throw estimated;
      throw new ChainError('insufficient_funds', 'Not enough native coin for amount and gas', {
        required: value + TRANSFER_GAS * gasPrice,
        available: await client.getBalance({ address: account }),
      });
    }
    const gas = withMargin(estimated, to, data);
    return { gas, gasPrice, maxGasFee: gas * gasPrice };
  } catch (error) {
    throw chainFault(error);
  }
}

const asking = new WeakMap<ChainClient, Promise<bigint>>();

/** Wei per gas that a transaction needs now. Those who ask while an answer is on its way share it. */
export function readGasPrice(client: ChainClient, { tip }: SenderSettings): Promise<bigint> {
  refuseDryRun('evm gas-price');
  const shared = asking.get(client);
  if (shared) return shared;
  const answer = tip === undefined ? client.getGasPrice() : baseFeeAnd(client, tip);
  const price = answer.finally(() => asking.delete(client));
  asking.set(client, price);
  return price;
}

/** Wei per gas that we offer now. */
export async function offeredGasPrice(
  client: ChainClient,
  settings: SenderSettings,
): Promise<bigint> {
  try {
    const price = await readGasPrice(client, settings);
    return lesser(shareOfGas(price, settings.gasPricePoints), settings.gasPriceCeiling);
  } catch (error) {
    throw chainFault(error);
  }
}

const baseFeeAnd = async (client: ChainClient, tip: bigint): Promise<bigint> =>
  ((await client.getBlock()).baseFeePerGas ?? 0n) + tip;

/** Answers a fault instead of throwing it, so that a shortage can be reported with its numbers. */
async function estimate(client: ChainClient, call: EvmCall): Promise<bigint | ChainError> {
  const { from: account, to, data, value } = call;
  return client
    .estimateGas({ account, ...(to && { to }), ...(data && { data }), ...(value && { value }) })
    .catch(chainFault);
}

/** What writing to an empty storage slot costs more than to a used one. */
const EMPTY_SLOT_GAS = 17_100n;

/**
 * A plain transfer costs what it costs; a contract may have moved on when it is mined: a caller that spends
 * the last of a balance meanwhile makes the next credit to it dearer, at most a balance and a supply.
 * Gas that is not used is not paid.
 */
const withMargin = (gas: bigint, to?: Address, data?: Hex): bigint =>
  to !== undefined && data === undefined && gas === TRANSFER_GAS
    ? gas
    : (gas * 5n) / 4n + 2n * EMPTY_SLOT_GAS;

/** Rounded up, so that 1.0 times a price is never below it. */
export const shareOfGas = (wei: bigint, points: bigint): bigint =>
  (wei * points + POINTS - 1n) / POINTS;

/** The smaller of two; Math.min does not take bigints. */
export function lesser(a: bigint, b: bigint): bigint {
  return -greater(-a, -b);
}

/** The larger of two; Math.max does not take bigints. */
export function greater(a: bigint, b: bigint): bigint {
  if (a > b) return a;
  return b;
}
