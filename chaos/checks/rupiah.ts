import { type Address, createPublicClient, erc20Abi, http } from 'viem';
import { run } from '#kernel/db/db.ts';
import { fieldOf, listOf, numberOf, textOf } from '../clients/answer.ts';
import { answerOf, type Books, type Entry } from '../clients/books.ts';
import type { Finding } from './findings.ts';
import { latePurchases } from './late-payments.ts';
import { type Expected, equal, match } from './match.ts';
import type { World } from './world.ts';

/** Users' view of their rupiah tokens, the gateway's operations, and the chain's balances. */
export interface RupiahSeen {
  /** By user, such as `mint of 50001 SUCCESS`. */
  readonly shown: readonly (readonly string[])[];
  /** Such as `PAYMENT of 53001 for MINT-1-2`. */
  readonly moved: readonly string[];
  /** By receiver, in units. */
  readonly tokens: ReadonlyMap<string, bigint>;
}

const LIMIT = 100;
const CHAIN = 'amoy';

export async function readRupiah({ db, people, api, sandbox, books }: World): Promise<RupiahSeen> {
  const shown = await Promise.all(
    people.map(async ({ token }) => {
      const list = async (kind: 'mint' | 'redeem') =>
        listOf(
          await api(`GET /idrtoken/transactions/${kind}?limit=${LIMIT}`, { token }),
          'data',
        ).map((row) => shownName(kind, numberOf(row, 'amount_idr'), textOf(row, 'status')));
      return [...(await list('mint')), ...(await list('redeem'))];
    }),
  );
  const entries = await run<{ type: string; amount: string; reference: string }>(
    db,
    `select data ->> 'type' as type, data ->> 'amount' as amount,
       data ->> 'reference_id' as reference
     from sandbox.records
     where provider = 'gateway' and kind = 'transaction' and data ->> 'status' = 'SUCCESS'`,
    [],
  );
  return {
    shown,
    moved: entries.map(({ type, amount, reference }) => movedName(type, amount, reference)),
    tokens: await tokensOf(listOf(await sandbox('GET /chains'), ''), books),
  };
}

async function tokensOf(chains: readonly unknown[], books: Books): Promise<Map<string, bigint>> {
  const node = chains.find((found) => fieldOf(found, 'chain_id') === CHAIN);
  const client = createPublicClient({ transport: http(textOf(node, 'rpc_url'), { batch: true }) });
  const address = textOf(node, 'idr_token') as Address;
  const receivers = [
    ...books.done('rupiah-in').map(({ effect }) => effect.to),
    ...latePurchases(books).map(({ to }) => to),
  ];
  const held = receivers.map(async (to) => {
    const args = [to] as const;
    const call = { address, abi: erc20Abi, functionName: 'balanceOf', args } as const;
    return [to, await client.readContract(call)] as const;
  });
  return new Map(await Promise.all(held));
}

const shownName = (kind: string, rupiah: number, status: string): string =>
  `${kind} of ${rupiah} ${status}`;
const movedName = (type: string, rupiah: string | number, reference: string): string =>
  `${type} of ${rupiah} for ${reference}`;

/**
 * Each purchase is paid, minted and shown once, and each burn paid out and shown once; `others` are
 * the gateway's other pay-outs.
 */
export function checkRupiah(
  books: Books,
  seen: RupiahSeen,
  others: readonly Expected[],
): Finding[] {
  const [bought, redeemed] = [books.done('rupiah-in'), books.done('rupiah-out')];
  const late = latePurchases(books);
  const named = (entry: Entry, name: string) => ({ key: entry.operation.key, name });
  const entryOf = (entry: Entry, type: string, field: string) => {
    const { data } = answerOf(entry) as { data: { referenceId: string } & Record<string, number> };
    return named(entry, movedName(type, data[field] ?? 0, data.referenceId));
  };
  const users = seen.shown.flatMap((shown, user) => {
    const own = <T extends { effect: { user: number } }>(entries: readonly T[]) =>
      entries.filter(({ effect }) => effect.user === user);
    const expected = [
      ...own(bought).map((one) => named(one, shownName('mint', one.effect.rupiah, 'SUCCESS'))),
      ...own(redeemed).map((one) =>
        named(one, shownName('redeem', one.effect.rupiah, 'COMPLETED')),
      ),
      ...late
        .filter((one) => one.user === user)
        .map(({ key, rupiah, isMinted }) => ({
          key,
          name: shownName('mint', rupiah, isMinted ? 'SUCCESS' : 'CANCELLED'),
        })),
    ];
    return match(`rupiah tokens of user ${user}`, expected, shown);
  });
  const moved = [
    ...bought.map((one) => entryOf(one, 'PAYMENT', 'totalAmount')),
    ...redeemed.map((one) => entryOf(one, 'DISBURSEMENT', 'netAmount')),
    ...others,
  ];
  return [
    ...users,
    // Payments of the others are compared by themselves.
    ...match(
      'gateway',
      moved,
      seen.moved.filter(
        (name) => !late.some(({ reference }) => name.endsWith(` for ${reference}`)),
      ),
    ),
    ...[
      ...bought.map(({ effect: { to, rupiah } }) => ({ to, rupiah })),
      ...late.map(({ to, rupiah, isMinted }) => ({ to, rupiah: isMinted ? rupiah : 0 })),
    ].flatMap(({ to, rupiah }) =>
      equal('rupiah tokens', `of ${to}`, seen.tokens.get(to) ?? 0n, BigInt(rupiah) * 100n),
    ),
  ];
}
