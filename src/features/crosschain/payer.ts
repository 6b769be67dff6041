import type { Address } from 'viem';
import {
  ChainError,
  type Quote,
  readBalances,
  type Signer,
  transferCall,
} from '#chains/evm/port.ts';
import { hold, type Shortage } from '#features/wallet-spending/wallet-spending.ts';
import { type AppError, fail } from '#kernel/http/error.ts';
import { format } from '#kernel/money/money.ts';
import { type CrosschainDeps, toAppError } from './deps.ts';
import { keepsLease } from './lease.ts';
import { burnReference, feeReference } from './references.ts';
import { burnUnderWay } from './states.ts';
import type { Transfer } from './store.ts';

export interface Payer {
  readonly signer: Signer;
  /** The platform pays, with tokens that it makes for the purpose. */
  readonly isSponsored: boolean;
}

/** A fee follows its burn by some blocks, in each of which gas may become dearer by an eighth. */
const FEE_GAS_MARGIN = 2n;
/** What a call takes at most that cannot be simulated before the ones ahead of it have happened. */
const LATER_CALL_GAS = 300_000n;

/**
 * The first who can pay the burn. In mock mode the hot wallet stands in where nobody can, and the fee
 * is sponsored (decisions: Modes); otherwise the fee comes on top, and what a managed wallet pays is
 * set aside for it. Throws INSUFFICIENT_FUNDS, and NOT_READY where the transfer was taken over.
 */
export async function choosePayer(
  deps: CrosschainDeps,
  transfer: Transfer,
  candidates: readonly Signer[],
): Promise<Payer> {
  let lack: AppError | Error | undefined;
  for (const signer of candidates) {
    const found = await chargeTo(deps, transfer, signer);
    if (found === undefined) return { signer, isSponsored: false };
    lack ??= found;
  }
  if (deps.config.MOCK_MODE) return { signer: deps.evm.keys.hot, isSponsored: true };
  throw (
    lack ??
    fail('INSUFFICIENT_FUNDS', `There is no managed wallet on ${transfer.from_chain} to burn from`)
  );
}

/** Why this one cannot pay: too few tokens, or no coin for the network fee. */
export async function lackOf(
  deps: CrosschainDeps,
  transfer: Transfer,
  { address }: Pick<Signer, 'address'>,
): Promise<AppError | Error | undefined> {
  const cost = await costOf(deps, transfer, address);
  return 'lack' in cost ? cost.lack : undefined;
}

/** Sets aside what this one pays. Answers why it cannot pay. */
async function chargeTo(
  deps: CrosschainDeps,
  transfer: Transfer,
  { address }: Signer,
): Promise<AppError | Error | undefined> {
  const { db, evm, config, bridgeRoutes } = deps;
  const cost = await costOf(deps, transfer, address);
  if ('lack' in cost) return cost.lack;
  // What the platform sponsors owes no fee.
  if (config.MOCK_MODE) return undefined;
  const { units, platform_fee, from_chain } = transfer;
  const token_contract = bridgeRoutes[transfer.passage].token(transfer);
  const holds = [
    { reference: burnReference(transfer), token_contract, units, gas: cost.burn },
    { reference: feeReference(transfer), token_contract, units: platform_fee, gas: cost.fee },
  ];
  const place = { db, chain: evm.chains[from_chain], address };
  // A wallet outside, whose key was posted, pays both at once.
  const holding = await hold(
    place,
    holds,
    async (tx) => (await keepsLease(tx, transfer)) || undefined,
  );
  if (holding === 'unwritten') throw burnUnderWay();
  return typeof holding === 'object' && 'short' in holding
    ? tooLittle(deps, transfer, holding.short)
    : undefined;
}

function tooLittle(
  { evm }: CrosschainDeps,
  { from_chain }: Transfer,
  { token_contract, required, available }: Shortage,
): AppError | Error {
  if (token_contract !== 'native') return tooFewTokens(required, available);
  const details = { required, available };
  return toAppError(
    new ChainError('insufficient_funds', 'Held by others', details),
    evm,
    from_chain,
  );
}

/** Wei that the gas costs at most, or why it cannot be paid. */
type Cost = { readonly burn: bigint; readonly fee: bigint } | { readonly lack: AppError | Error };

/** Simulates what the payer signs, the fee too where it owes one. */
async function costOf(deps: CrosschainDeps, transfer: Transfer, from: Address): Promise<Cost> {
  const { evm, config, bridgeRoutes } = deps;
  const { from_chain, units, platform_fee } = transfer;
  const chain = evm.chains[from_chain];
  const { sender } = chain;
  const passage = bridgeRoutes[transfer.passage];
  const token = passage.token(transfer);
  const owed = config.MOCK_MODE ? 0n : platform_fee;
  try {
    const balances = await readBalances(chain, from, [token]);
    const available = balances.tokens[0] ?? 0n;
    if (available < units + owed) return { lack: tooFewTokens(units + owed, available) };
    const [first, ...later] = passage.burnCalls(transfer);
    const [burnt, paid] = await Promise.all([
      sender.quote({ from, ...first }),
      owed > 0n
        ? sender.quote({ from, ...transferCall(token, evm.keys.treasury.address, owed) })
        : undefined,
    ]);
    const burn = burnt.maxGasFee + gasOf(burnt, later.length);
    const fee = (paid?.maxGasFee ?? 0n) * FEE_GAS_MARGIN;
    if (balances.native >= burn + fee) return { burn, fee };
    const details = { required: burn + fee, available: balances.native };
    throw new ChainError('insufficient_funds', 'Not enough coins for burn and fee', details);
  } catch (error) {
    const cannot =
      error instanceof ChainError && ['insufficient_funds', 'reverted'].includes(error.kind);
    if (cannot) return { lack: toAppError(error, evm, from_chain) };
    throw error;
  }
}

const gasOf = ({ gasPrice }: Quote, laterCalls: number): bigint =>
  BigInt(laterCalls) * LATER_CALL_GAS * gasPrice;

const tooFewTokens = (required: bigint, available: bigint): AppError =>
  fail('INSUFFICIENT_FUNDS', 'Not enough USDC for the amount and the platform fee', {
    details: {
      token: 'USDC',
      required: format({ asset: 'USDC', units: required }),
      available: format({ asset: 'USDC', units: available }),
    },
  });
