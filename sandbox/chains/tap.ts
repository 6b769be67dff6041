import type { Chain } from '#chains/port.ts';
import { fail } from '#kernel/error.ts';
import { format, money } from '#kernel/money/money.ts';
import type { FaucetReply, FaucetRequest } from '#sandbox/faucet.ts';

export interface FaucetGrant {
  readonly to: string;
  readonly asset: FaucetRequest['asset'];
  /** Smallest ones of the asset. */
  readonly units: bigint;
  readonly reference: string | undefined;
}

interface Giver {
  /** What it gives besides the chain's coin. */
  readonly tokens: readonly FaucetRequest['asset'][];
  /** Answers when it is there: the transaction, and what the address has of it then. */
  give(gift: FaucetGrant): Promise<{ readonly hash: string; readonly balance: bigint }>;
}

/** The faucet of a chain of our own; elsewhere coins are not ours to give. */
export const tapOf =
  (chain: Chain, { tokens, give }: Giver): FaucetReply =>
  async ({ address, asset, amount, reference }) => {
    const { key, native, isOwn, addressForm } = chain;
    if (!isOwn)
      throw fail('CONFLICT', `${key} is no chain of the sandbox’s own, which alone have a faucet`);
    if (asset !== 'native' && !tokens.includes(asset))
      throw fail('VALIDATION_ERROR', `There is no ${asset} on ${key}`);
    const kept = asset === 'native' ? native : asset;
    const { units } = money(kept, amount);
    const to = await chain.typedAddress(address);
    if (to === undefined)
      throw fail('VALIDATION_ERROR', `Not an address of ${key}: ${addressForm}`);
    const { hash, balance } = await give({ to, asset, units, reference });
    return { tx_hash: hash, balance: format({ asset: kept, units: balance }) };
  };
