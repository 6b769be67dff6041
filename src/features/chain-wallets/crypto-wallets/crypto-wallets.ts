import type { Feature } from '#kernel/feature.ts';
import { CRYPTO_WALLET_EVENTS } from './events.ts';
import { CRYPTO_WALLETS_PERSON_DATA } from './person-data.ts';
import { cryptoWalletRoutes, type WalletDeps } from './routes.ts';

export { SEALED_WALLETS } from './custody.ts';
export {
  findCryptoWallet,
  managedAddresses,
  openWalletOfWords,
  openWalletOnApproval,
  signerOf,
  userSigners,
  walletSigners,
} from './managed-addresses.ts';

import { CRYPTO_WALLETS_WORDS } from './reference.ts';

export { addressesOf, type ManagedAddress, managedOwners, walletsOf } from './store.ts';
export { importedBy, insertToken, placesFor } from './token-store.ts';

/** Wallets on chains that the service keeps the keys of. */
export const createCryptoWallets = (deps: WalletDeps): Feature => ({
  name: 'crypto-wallets',
  personData: CRYPTO_WALLETS_PERSON_DATA,
  reference: CRYPTO_WALLETS_WORDS,
  routes: cryptoWalletRoutes(deps),
  events: CRYPTO_WALLET_EVENTS,
});
