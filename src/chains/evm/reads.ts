import { type Address, erc20Abi, getAddress, isAddress } from 'viem';
import { CHAIN_KEYS, type ChainKey } from './chains.ts';
import type { ChainAccess } from './client.ts';
import { ChainError, chainFault, isUnanswered } from './fault.ts';

export interface TokenInfo {
  readonly address: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
}

const TEXT_MAX = 64;
const DECIMALS_MAX = 36;
const READ_MS = 5_000;

interface Mode {
  readonly MOCK_MODE: boolean;
}

/** The chain that is asked. */
type ReadDeps = Pick<ChainAccess, 'client'>;

/** The address as EIP-55 writes it, from any case. Nothing for what is no address. */
export const addressOf = (text: string): Address | undefined =>
  isAddress(text, { strict: false }) ? getAddress(text) : undefined;

/**
 * The same for what a person typed: mixed case must carry the right checksum (EIP-55), because
 * otherwise it is a typing mistake, and what is sent there is lost. In mock mode nothing can be lost,
 * and any 0x and 40 hex digits are an address, as the contract has it.
 */
export function typedEvmAddress(text: string, { MOCK_MODE }: Mode): Address | undefined {
  if (MOCK_MODE) return addressOf(text);
  const digits = text.slice(2);
  const isPlain = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isPlain || isAddress(text) ? addressOf(text) : undefined;
}

/**
 * What an ERC-20 contract says of itself. Nothing for what is no token: no code, a call that fails,
 * an empty or overlong name, absurd decimals.
 */
export async function readToken(chain: ReadDeps, address: Address): Promise<TokenInfo | undefined> {
  const client = await chain.client();
  const contract = { address, abi: erc20Abi } as const;
  const [code, answers] = await orFault(
    Promise.all([
      client.getCode({ address }),
      client.multicall({
        deployless: true,
        contracts: [
          { ...contract, functionName: 'symbol' },
          { ...contract, functionName: 'name' },
          { ...contract, functionName: 'decimals' },
          { ...contract, functionName: 'totalSupply' },
        ],
      }),
    ]),
  );
  assertAnswered(answers);
  const [symbol, name, decimals, supply] = answers;
  const isToken =
    code !== undefined &&
    isText(symbol.result) &&
    isText(name.result) &&
    decimals.result !== undefined &&
    decimals.result <= DECIMALS_MAX &&
    supply.result !== undefined;
  if (!isToken) return undefined;
  return {
    address: getAddress(address),
    symbol: String(symbol.result),
    name: String(name.result),
    decimals: Number(decimals.result),
  };
}

/** Names go into answers and pages, so they must be printable. */
const isText = (text: string | undefined): boolean =>
  text !== undefined && text.trim() !== '' && text.length <= TEXT_MAX && !/\p{C}/u.test(text);

export interface Balances {
  /** Wei. */
  readonly native: bigint;
  /** Units by token in the order asked; nothing for a token that did not answer. */
  readonly tokens: readonly (bigint | undefined)[];
}

/** The native coin and any number of tokens of one address, in one request. */
export async function readBalances(
  chain: ReadDeps,
  owner: Address,
  tokens: readonly Address[],
): Promise<Balances> {
  const client = await chain.client();
  const [native, units] = await orFault(
    Promise.all([
      client.getBalance({ address: owner }),
      tokens.length === 0
        ? []
        : client.multicall({
            deployless: true,
            contracts: tokens.map((address) => ({
              address,
              abi: erc20Abi,
              functionName: 'balanceOf' as const,
              args: [owner] as const,
            })),
          }),
    ]),
  );
  assertAnswered(units);
  return { native, tokens: units.map(({ result }) => result) };
}

/** Otherwise a node's silence would look like a token's, and an unknown balance like none. */
function assertAnswered(results: readonly { readonly error?: unknown }[]): void {
  const silence = results.find(({ error }) => isUnanswered(error));
  if (silence) throw chainFault(silence.error);
}

/** How many of an owner's units a contract may take. */
export async function readAllowance(
  chain: ReadDeps,
  token: Address,
  { owner, spender }: { readonly owner: Address; readonly spender: Address },
): Promise<bigint> {
  const client = await chain.client();
  const args = [owner, spender] as const;
  return orFault(
    client.readContract({ address: token, abi: erc20Abi, functionName: 'allowance', args }),
  );
}

/** All units of a token that exist on that chain. */
export async function readSupply(chain: ReadDeps, token: Address): Promise<bigint> {
  const client = await chain.client();
  return orFault(
    client.readContract({ address: token, abi: erc20Abi, functionName: 'totalSupply' }),
  );
}

export type PerChain<T> = Partial<
  Record<ChainKey, { readonly value: T } | { readonly fault: ChainError }>
>;

/** Asks several chains at once. One that is down or slow costs its own part of the answer only. */
export async function acrossChains<C extends ChainAccess, T>(
  chains: Readonly<Partial<Record<ChainKey, C>>>,
  ask: (chain: C) => Promise<T>,
  timeoutMs = READ_MS,
): Promise<PerChain<T>> {
  const asked = CHAIN_KEYS.map(async (key) => {
    const chain = chains[key];
    if (chain === undefined) return [];
    const answer = (async () => ({ value: await ask(chain) }))();
    return [
      [key, await inTime(answer, timeoutMs).catch((error) => ({ fault: chainFault(error) }))],
    ];
  });
  return Object.fromEntries((await Promise.all(asked)).flat()) as PerChain<T>;
}

async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new ChainError('unreachable', 'The chain did not answer in time')),
    timeoutMs,
  );
  return Promise.race([work, late.promise]).finally(() => clearTimeout(timer));
}

const orFault = async <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw chainFault(error);
  });
