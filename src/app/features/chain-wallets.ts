import type { createSecurityNotices } from '#features/accounts/security-notices/security-notices.ts';
import {
  type BridgeLegs,
  createCrosschain,
} from '#features/chain-wallets/crosschain/crosschain.ts';
import {
  createCryptoWallets,
  userSigners,
} from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { createNetworks } from '#features/chain-wallets/networks/networks.ts';
import { createOnchain } from '#features/chain-wallets/onchain/onchain.ts';
import { createTokens } from '#features/chain-wallets/tokens/tokens.ts';
import { createWalletProofs } from '#features/chain-wallets/wallet-proofs/wallet-proofs.ts';
import {
  beginHeld,
  createWalletSpending,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { chainsOf } from '../chains.ts';
import type { Providers } from '../providers.ts';

/** Wallets on the EVM chains, and what goes from them. */
export function chainFeatures(
  kernel: Kernel,
  providers: Providers,
  {
    notices,
    payments,
  }: {
    readonly notices: ReturnType<typeof createSecurityNotices>;
    readonly payments: () => Feature['payments'] & object;
  },
): { readonly features: Feature[]; readonly legs: BridgeLegs } {
  const { evm, cctp, fx } = providers;
  const chains = { ...kernel, evm, fx };
  const signersOf = userSigners(kernel.db, kernel.vault);
  const crosschain = createCrosschain({ ...chains, cctp, signersOf });
  const features = [
    createCryptoWallets({ ...chains, beginHeld }),
    createTokens(chains),
    createOnchain(chains),
    crosschain,
    createWalletProofs({ ...kernel, ...providers, notices }),
    createWalletSpending(),
    createNetworks({ ...chains, payments, chains: chainsOf(providers) }),
  ];
  return { features, legs: crosschain.legs };
}
