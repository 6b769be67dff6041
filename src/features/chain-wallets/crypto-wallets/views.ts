import { CHAINS } from '#chains/evm/port.ts';
import { dollars, type Holding, totalCents } from './holdings.ts';
import type { CryptoWallet, WalletAddress, WalletAsset } from './store.ts';

/** An address as the contract prints it; its assets are the tokens imported there. */
export function shownAddress(row: WalletAddress, assets: readonly WalletAsset[]) {
  const { address_id, bw_id, wallet_address, chain_id, created_at } = row;
  const asset_count = assets.filter((asset) => asset.address_id === address_id).length;
  const native_symbol = CHAINS[chain_id].native;
  const has_assets = asset_count > 0;
  return {
    address_id,
    bw_id,
    wallet_address,
    chain_id,
    created_at,
    asset_count,
    native_symbol,
    has_assets,
  };
}

/** A wallet as the contract prints it, out of the rows of all wallets. */
export function shownWallet(
  wallet: CryptoWallet,
  rows: readonly WalletAddress[],
  assets: readonly WalletAsset[],
  holdings: ReadonlyMap<number, Holding>,
) {
  const own = rows.filter(({ bw_id }) => bw_id === wallet.bw_id);
  const addresses = own.map((row) => shownAddress(row, assets));
  const ids = new Set(own.map(({ address_id }) => address_id));
  const imported = assets.filter(({ address_id }) => ids.has(address_id));
  const { made_for_chain, ...shown } = wallet;
  const chains = own.map(({ chain_id }) => chain_id as string);
  const supported_chains = [...new Set([...(made_for_chain ? [made_for_chain] : []), ...chains])];
  return {
    ...shown,
    network: 'evm' as const,
    addresses,
    address_count: addresses.length,
    active_chains: addresses.length,
    supported_chains,
    total_tokens: new Set(imported.map(({ symbol }) => symbol)).size,
    total_assets: imported.length,
    total_value_usd: dollars(totalCents(own.map(({ address_id }) => holdings.get(address_id)))),
    status: addresses.length > 0 ? ('active' as const) : ('setup_needed' as const),
    has_addresses: addresses.length > 0,
  };
}
