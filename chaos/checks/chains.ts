import { type Address, createPublicClient, erc20Abi, http } from 'viem';
import { type ChainKey, platformKeys } from '#chains/evm/port.ts';
import { money } from '#kernel/money/money.ts';
import { fieldOf, listOf, textOf } from '../clients/answer.ts';
import type { Books } from '../clients/books.ts';
import { type Call, COINS, GIFTS, type Person } from '../clients/cast.ts';
import { MNEMONIC } from '../fleet/fleet.ts';
import { hasCrypto, PLACES } from '../plan/workload.ts';
import type { Finding } from './findings.ts';
import { equal } from './match.ts';
import type { Sent } from './sends.ts';

/** Amounts on the chains by name: `supply of amoy`, `USDC of 0x… on sepolia`. In units. */
export type ChainsSeen = ReadonlyMap<string, bigint>;

const TREASURY = platformKeys(MNEMONIC).treasury.address;

const supplyOn = (chain: ChainKey) => `USDC supply of ${chain}`;
const heldBy = (owner: string, asset: 'USDC' | 'native', chain: ChainKey) =>
  `${asset} of ${owner.toLowerCase()} on ${chain}`;

/** Reads supplies, and the balances of the treasury, the users and all receivers. */
export async function readChains({
  sandbox,
  people,
  books,
}: {
  sandbox: Call;
  people: readonly Person[];
  books: Books;
}): Promise<ChainsSeen> {
  const nodes = listOf(await sandbox('GET /chains'), '');
  const seen = new Map<string, bigint>();
  for (const chain of PLACES) {
    const node = nodes.find((found) => fieldOf(found, 'chain_id') === chain);
    const client = createPublicClient({
      transport: http(textOf(node, 'rpc_url'), { batch: true }),
    });
    const usdc = { address: textOf(node, 'usdc') as Address, abi: erc20Abi } as const;
    const owners = [
      TREASURY,
      ...people.flatMap(({ addresses }) => (addresses[chain] ? [addresses[chain]] : [])),
      ...receivers(books),
    ] as Address[];
    seen.set(supplyOn(chain), await client.readContract({ ...usdc, functionName: 'totalSupply' }));
    await Promise.all(
      owners.map(async (owner) => {
        const args = [owner] as const;
        const tokens = client.readContract({ ...usdc, functionName: 'balanceOf', args });
        seen.set(heldBy(owner, 'USDC', chain), await tokens);
        seen.set(heldBy(owner, 'native', chain), await client.getBalance({ address: owner }));
      }),
    );
  }
  return seen;
}

const receivers = (books: Books): string[] =>
  books.all().flatMap(({ operation: { effect } }) => ('to' in effect ? [effect.to] : []));

/** Facts beyond the books: all sends, and the exchange's withdrawals to addresses. */
export interface Besides {
  readonly sends: readonly Sent[];
  readonly arrived: ReadonlyMap<string, bigint>;
}

/** Every receiver has the acknowledged amount, and every payer, the treasury and the supply match. */
export function checkChains(
  { books, people, before }: { books: Books; people: readonly Person[]; before: ChainsSeen },
  seen: ChainsSeen,
  { sends, arrived }: Besides,
): Finding[] {
  const wanted = new Map<string, bigint>();
  const add = (what: string, units: bigint) => wanted.set(what, (wanted.get(what) ?? 0n) + units);
  for (const chain of PLACES) {
    for (const what of [
      supplyOn(chain),
      heldBy(TREASURY, 'USDC', chain),
      heldBy(TREASURY, 'native', chain),
    ])
      add(what, before.get(what) ?? 0n);
    for (const owner of receivers(books)) add(heldBy(owner, 'USDC', chain), 0n);
    for (const [user, { addresses }] of people.entries())
      if (hasCrypto(user))
        add(heldBy(addresses[chain], 'USDC', chain), money('USDC', GIFTS.USDC).units);
  }
  const addressOf = (user: number, chain: ChainKey) =>
    (people[user]?.addresses as Record<string, string> | undefined)?.[chain] ?? '';
  addSends(sends, addressOf, add);
  addPayments(books, addressOf, add);
  addArrivals(books, arrived, add);
  for (const { effect } of books.done('test-mint')) {
    add(supplyOn(effect.chain), effect.units);
    add(heldBy(effect.to, 'USDC', effect.chain), effect.units);
  }
  for (const {
    effect: { user, chain, units, fee },
  } of books.done('burn')) {
    add(supplyOn(chain), -units);
    add(heldBy(addressOf(user, chain), 'USDC', chain), -units - fee);
    add(heldBy(TREASURY, 'USDC', chain), fee);
  }
  for (const { effect } of books.done('mint')) {
    add(supplyOn(effect.chain), effect.units);
    add(heldBy(effect.to, 'USDC', effect.chain), effect.units);
  }
  return [...wanted].flatMap(([what, units]) =>
    equal('chains', what, seen.get(what) ?? -1n, units),
  );
}

type Add = (what: string, units: bigint) => void;
type AddressOf = (user: number, chain: ChainKey) => string;

/**
 * The amount and its fee leave the wallet; of coins the gas does, too, so only receivers are compared.
 */
function addSends(sends: readonly Sent[], addressOf: AddressOf, add: Add): void {
  for (const { user, chain, asset, units, to, fee: text } of sends) {
    const fee = money(asset === 'USDC' ? 'USDC' : COINS[chain], text).units;
    add(heldBy(to, asset, chain), units);
    add(heldBy(TREASURY, asset, chain), fee);
    if (asset === 'USDC') add(heldBy(addressOf(user, chain), asset, chain), -units - fee);
  }
}

/** Payments of purchases go to the treasury, through the contract. */
function addPayments(books: Books, addressOf: AddressOf, add: Add): void {
  for (const { effect } of [...books.done('purchase'), ...books.done('order')]) {
    const { user, chain, units } = effect;
    add(heldBy(addressOf(user, chain), 'USDC', chain), -units);
    add(heldBy(TREASURY, 'USDC', chain), units);
  }
}

/** An exchange's USDC come from outside: the sandbox makes them. */
function addArrivals(books: Books, arrived: ReadonlyMap<string, bigint>, add: Add): void {
  const places = new Map(books.done('conversion').map(({ effect }) => [effect.to, effect.chain]));
  for (const [to, chain] of places) {
    const units = arrived.get(to.toLowerCase()) ?? 0n;
    add(supplyOn(chain), units);
    add(heldBy(to, 'USDC', chain), units);
  }
}
