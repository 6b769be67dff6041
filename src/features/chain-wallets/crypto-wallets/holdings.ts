import type { Address } from 'viem';
import {
  acrossChains,
  CHAINS,
  type ChainError,
  type ChainKey,
  type EvmChain,
  type EvmNetwork,
  readBalances,
} from '#chains/evm/port.ts';
import { type Asset, convert, format } from '#kernel/money/money.ts';
import type { ExchangeRates } from '#providers/fx/port.ts';
import type { WalletAddress, WalletAsset } from './store.ts';

export interface HoldingsDeps {
  readonly evm: EvmNetwork;
  readonly fx: ExchangeRates;
}

export interface TokenHolding {
  readonly symbol: string;
  readonly contract_address: string;
  readonly decimals: number;
  /** Smallest units; nothing when the token did not answer. */
  readonly units: bigint | undefined;
  readonly value_usd: number | null;
}

/** What an address holds. What is missing, or null, is not known at the moment. */
export interface Holding {
  /** Wei. */
  readonly native?: bigint;
  readonly tokens: readonly TokenHolding[];
  /** US cents of all of it. */
  readonly cents: bigint | undefined;
  readonly fault?: ChainError;
}

/** A token to ask for, and the asset whose price it has: only our own contracts have one. */
interface HoldingsQuery {
  readonly symbol: string;
  readonly address: Address;
  readonly decimals: number;
  readonly priced?: Asset;
  /** Shown even when nothing is there. */
  readonly always: boolean;
}

/**
 * What those addresses hold: one request per chain, all chains at once. A chain that is down costs
 * its own addresses' part of the answer only, and a missing price only the values.
 */
export async function readCryptoHoldings(
  { evm, fx }: HoldingsDeps,
  addresses: readonly WalletAddress[],
  assets: readonly WalletAsset[],
): Promise<ReadonlyMap<number, Holding>> {
  const used = [...new Set(addresses.map(({ chain_id }) => chain_id))];
  const chains = Object.fromEntries(used.map((key) => [key, evm.chains[key]]));
  const [prices, read] = await Promise.all([
    readPrices(fx, used),
    acrossChains(chains, (chain: EvmChain) =>
      Promise.all(
        addresses
          .filter(({ chain_id }) => chain_id === chain.info.key)
          .map(async ({ address_id, wallet_address }) => {
            const asked = askedOf(
              chain,
              assets.filter((asset) => asset.address_id === address_id),
            );
            const tokens = asked.map(({ address }) => address);
            const units = await readBalances(chain, wallet_address as Address, tokens);
            return { address_id, asked, units };
          }),
      ),
    ),
  ]);
  const holdings = new Map<number, Holding>();
  for (const key of used) {
    const answer = read[key];
    if (answer === undefined) continue;
    if ('fault' in answer) {
      for (const { address_id, chain_id } of addresses)
        if (chain_id === key) holdings.set(address_id, { ...UNKNOWN, fault: answer.fault });
    } else {
      for (const { address_id, asked, units } of answer.value)
        holdings.set(address_id, valued(key, asked, units, prices));
    }
  }
  return holdings;
}

const UNKNOWN: Holding = { tokens: [], cents: undefined };

/** Our USDC and rupiah token need not be imported (decisions: Wallets). */
function askedOf({ contracts }: EvmChain, imported: readonly WalletAsset[]): HoldingsQuery[] {
  const own: HoldingsQuery[] = [
    { symbol: 'USDC', address: contracts.usdc, decimals: 6, priced: 'USDC', always: true },
    { symbol: 'IDRT', address: contracts.idr_token, decimals: 2, priced: 'IDRT', always: false },
  ];
  const others = imported.map(({ symbol, contract_address, decimals }): HoldingsQuery => {
    const known = own.find(({ address }) => address === contract_address);
    const address = contract_address as Address;
    return known ? { ...known, symbol, always: true } : { symbol, address, decimals, always: true };
  });
  const unasked = own.filter(({ address }) => !others.some((other) => other.address === address));
  return [...unasked, ...others];
}

type Prices = ReadonlyMap<Asset, string>;

/** Dollars for one of each asset that those chains hold; without those of unknown price. */
async function readPrices(fx: ExchangeRates, chains: readonly ChainKey[]): Promise<Prices> {
  if (chains.length === 0) return new Map();
  const assets: Asset[] = ['USDC', 'IDRT', ...chains.map((key) => CHAINS[key].native)];
  const rates = await Promise.all(
    assets.map(async (asset) => ({ asset, found: await fx.rate(asset, 'USD') })),
  );
  return new Map(
    rates.flatMap(({ asset, found }): [Asset, string][] =>
      found.kind === 'done' ? [[asset, found.value.rate]] : [],
    ),
  );
}

function valued(
  chain: ChainKey,
  asked: readonly HoldingsQuery[],
  { native, tokens: units }: { native: bigint; tokens: readonly (bigint | undefined)[] },
  prices: Prices,
): Holding {
  const nativeCents = centsOf(prices, CHAINS[chain].native, native);
  const tokens = asked
    .map((token, i) => ({ ...token, units: units[i] }))
    .filter(({ always, units }) => always || (units ?? 0n) > 0n)
    .map(({ units, ...token }) => ({
      ...token,
      units,
      cents: centsOf(prices, token.priced, units),
    }));
  const cents = [nativeCents, ...tokens.map((token) => token.cents)];
  return {
    native,
    tokens: tokens.map(({ symbol, address, decimals, units, cents }) => ({
      symbol,
      contract_address: address,
      decimals,
      units,
      value_usd: dollars(cents),
    })),
    cents: sum(cents),
  };
}

/**
 * Cents, to look at. What has no market is worth nothing, however much of it there is: a token that
 * somebody has made up and that does not answer must not hide what else is known. What has no price now
 * is not known.
 */
function centsOf(
  prices: Prices,
  asset: Asset | undefined,
  units: bigint | undefined,
): bigint | undefined {
  if (asset === undefined || units === 0n) return 0n;
  if (units === undefined) return undefined;
  const rate = prices.get(asset);
  return rate === undefined ? undefined : convert({ asset, units }, rate, 'USD', 'nearest').units;
}

const sum = (cents: readonly (bigint | undefined)[]): bigint | undefined =>
  cents.reduce(
    (total, part) => (total === undefined || part === undefined ? undefined : total + part),
    0n,
  );

/** For people to look at: fortunes of more than 15 digits lose their cents. */
export const dollars = (cents: bigint | undefined): number | null =>
  cents === undefined ? null : Number(format({ asset: 'USD', units: cents }));

/** US cents of what is known; nothing when none of several is. */
export function totalCents(holdings: readonly (Holding | undefined)[]): bigint | undefined {
  const known = holdings.flatMap((holding) => holding?.cents ?? []);
  return known.length === 0 && holdings.length > 0 ? undefined : (sum(known) ?? 0n);
}
