import { ChainError } from '#chains/evm/fault.ts';
import { readBalances } from '#chains/evm/reads.ts';
import type { Signer } from '#chains/evm/signer.ts';
import { type AppError, fail } from '#kernel/http/error.ts';
import { format } from '#kernel/money/money.ts';
import { type CrosschainDeps, told } from './deps.ts';
import type { Transfer } from './store.ts';

export interface Payer {
  readonly signer: Signer;
  /** The platform pays, with tokens that it makes for the purpose. */
  readonly isSponsored: boolean;
}

/**
 * The first who can pay the burn. In mock mode the hot wallet stands in where nobody can, and the fee
 * is sponsored (decisions: Modes); otherwise the fee comes on top. Throws INSUFFICIENT_FUNDS.
 */
export async function choosePayer(
  deps: CrosschainDeps,
  transfer: Transfer,
  candidates: readonly Signer[],
): Promise<Payer> {
  let lack: AppError | Error | undefined;
  for (const signer of candidates) {
    const found = await lackOf(deps, transfer, signer);
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
  { evm, config, passages }: CrosschainDeps,
  transfer: Transfer,
  { address: from }: Pick<Signer, 'address'>,
): Promise<AppError | Error | undefined> {
  const { from_chain, units, platform_fee } = transfer;
  const chain = evm.chains[from_chain];
  const passage = passages[transfer.passage];
  const required = units + (config.MOCK_MODE ? 0n : platform_fee);
  try {
    const client = await chain.client();
    const { tokens } = await readBalances(client, from, [passage.token(transfer)]);
    const available = tokens[0] ?? 0n;
    if (available < required)
      return fail('INSUFFICIENT_FUNDS', 'Not enough USDC for the amount and the platform fee', {
        details: {
          token: 'USDC',
          required: format({ asset: 'USDC', units: required }),
          available: format({ asset: 'USDC', units: available }),
        },
      });
    await chain.sender.quote({ from, ...passage.burnCalls(transfer)[0] });
    return undefined;
  } catch (error) {
    const cannot =
      error instanceof ChainError && ['insufficient_funds', 'reverted'].includes(error.kind);
    if (cannot) return told(error, evm, from_chain);
    throw error;
  }
}
