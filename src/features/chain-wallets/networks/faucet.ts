import type { Address, Hex } from 'viem';
import { mintTokenCall, TOKENS } from '#chains/evm/contracts/port.ts';
import { type EvmChain, isChainKey, type Signer } from '#chains/evm/port.ts';
import {
  sendOnce,
  type ToShortfall,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { defineEffect, type Effect } from '#kernel/effects/effect.ts';
import { refused } from '#kernel/effects/outcome.ts';
import { fail } from '#kernel/error.ts';
import type { NetworksDeps } from './deps.ts';
import { endGift, type FaucetGift, findGift, type GiftAsset } from './store.ts';

type FaucetDeps = Pick<NetworksDeps, 'evm'>;
type Sent = { readonly hash: Hex };

/** Smallest units of one gift. Coins of networks of others are scarce: ours come from a wallet that people fill. */
const UNITS = {
  own: { native: 10n ** 18n, USDC: 100_000_000n, IDRT: 100_000_000n },
  others: { native: 10n ** 16n, USDC: 10_000_000n, IDRT: 0n },
} as const satisfies Record<string, Record<GiftAsset, bigint>>;

/** What one gift is on that chain; zero where the faucet has none of it. */
export const giftUnits = ({ isEmbedded }: EvmChain, asset: GiftAsset): bigint =>
  (isEmbedded ? UNITS.own : UNITS.others)[asset];

export type GiftEffect = Effect<FaucetGift, Sent>;

/** Sends a gift, once by its own reference. */
export const createGiftEffect = ({ evm }: FaucetDeps): GiftEffect =>
  defineEffect<FaucetGift, Sent>({
    kind: 'faucet-gift',
    provider: 'evm',
    repeatable: true,
    async open(db, id) {
      const gift = await findGift(db, Number(id));
      return gift?.status === 'PENDING' ? gift : undefined;
    },
    find: (db, id) => findGift(db, Number(id)),
    names: (gift) => [giftReference(gift)],
    async call(gift) {
      if (!isChainKey(gift.network_id)) return refused('NOT_FOUND', 'The network is gone');
      const chain = evm.chains[gift.network_id];
      const sending = { purpose: 'faucet', reference: giftReference(gift) };
      return sendOnce(
        chain,
        { ...sending, signer: giverOf(evm, chain), ...contentOf(chain, gift) },
        isDry(gift.network_id),
      );
    },
    settle: (tx, { gift_id }, { hash: tx_hash }) => endGift(tx, gift_id, { tx_hash }),
    async refuse(tx, { gift_id }, { code }) {
      await endGift(tx, gift_id, { failure: code });
      return true;
    },
  });

const giftReference = ({ gift_id }: Pick<FaucetGift, 'gift_id'>) => `faucet-gift:${gift_id}`;

/** On a chain of our own the faucet has all coins and makes tokens; elsewhere it is the wallet that pays for gas. */
const giverOf = ({ keys }: NetworksDeps['evm'], { isEmbedded }: EvmChain): Signer =>
  isEmbedded ? keys.faucet : keys.hot;

function contentOf({ contracts }: EvmChain, { asset, address, units }: FaucetGift) {
  const to = address as Address;
  if (asset === 'native') return { to, value: units };
  return mintTokenCall(contracts[TOKENS[asset]], to, units);
}

const isDry =
  (network: string): ToShortfall =>
  ({ asset }) =>
    fail('PROVIDER_UNAVAILABLE', `The faucet of ${network} has no ${asset} left`, {
      retryAfter: 3600,
    });
