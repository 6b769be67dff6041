import { randomUUID } from 'node:crypto';
import { type Address, encodeFunctionData, type Hash } from 'viem';
import { mintTokenCall, takeBackCall } from '#chains/evm/contracts/calls.ts';
import type { EvmChain } from '#chains/evm/port.ts';
import { readBalances } from '#chains/evm/reads.ts';
import type { PlatformKeys } from '#chains/evm/signer.ts';
import { sandboxUSDC } from './sandbox-usdc.generated.ts';

export type FaucetAsset = 'native' | 'USDC' | 'IDRT';

/** What Circle's own keys do, under its contract's names. */
export const USDC_ACTIONS = ['blacklist', 'unBlacklist', 'pause', 'unpause'] as const;
type UsdcAction = (typeof USDC_ACTIONS)[number];

export interface Faucet {
  /** Stops or frees an account of USDC, or all of USDC. */
  rule(chain: EvmChain, action: UsdcAction, account?: Address): Promise<Hash>;
  /** Gives test coins or tokens, in smallest units, once under a reference. Answers when they are there. */
  give(
    chain: EvmChain,
    gift: { to: Address; asset: FaucetAsset; units: bigint; reference?: string | undefined },
  ): Promise<{ hash: Hash; balance: bigint }>;
  /** Gives tokens as an issuer does: of one reference once. */
  issue(
    chain: EvmChain,
    gift: { to: Address; asset: 'USDC' | 'IDRT'; units: bigint; reference: string },
  ): Promise<Hash>;
  /** Burns tokens of any address, as their holder would. Throws `reverted` when they are too few. */
  burn(
    chain: EvmChain,
    burn: { from: Address; asset: 'USDC' | 'IDRT'; units: bigint },
  ): Promise<Hash>;
}

/** For embedded chains only: nowhere else the faucet's key has coins or roles. */
export function createFaucet(keys: PlatformKeys): Faucet {
  const named = (purpose: string, reference = `${purpose}:${randomUUID()}`) => ({
    // Derived when it is first used, and not with every start.
    signer: keys.faucet,
    purpose,
    reference,
  });
  return {
    async give(chain, { to, asset, units, reference }) {
      const content =
        asset === 'native' ? { to, value: units } : mintTokenCall(tokenOf(chain, asset), to, units);
      const { hash } = await chain.sender.execute({ ...named('faucet', reference), ...content });
      const tokens = asset === 'native' ? [] : [tokenOf(chain, asset)];
      const {
        native,
        tokens: [token],
      } = await readBalances(chain, to, tokens);
      return { hash, balance: asset === 'native' ? native : (token ?? 0n) };
    },
    async issue(chain, { to, asset, units, reference }) {
      const call = mintTokenCall(tokenOf(chain, asset), to, units);
      const issued = await chain.sender.execute({ ...named('sandbox issue'), reference, ...call });
      return issued.hash;
    },
    async rule(chain, action, account) {
      const data = encodeFunctionData({
        abi: sandboxUSDC.abi,
        functionName: action,
        args: account === undefined ? [] : [account],
      } as Parameters<typeof encodeFunctionData>[0]);
      const call = { to: chain.contracts.usdc, data };
      return (await chain.sender.execute({ ...named('sandbox usdc'), ...call })).hash;
    },
    async burn(chain, { from, asset, units }) {
      const call = takeBackCall(tokenOf(chain, asset), from, units);
      return (await chain.sender.execute({ ...named('sandbox burn'), ...call })).hash;
    },
  };
}

const tokenOf = ({ contracts }: EvmChain, asset: 'USDC' | 'IDRT'): Address =>
  asset === 'USDC' ? contracts.usdc : contracts.idr_token;
