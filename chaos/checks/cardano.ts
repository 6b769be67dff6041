import { run } from '#kernel/db/db.ts';
import { format, money } from '#kernel/money/money.ts';
import { fieldOf, listOf, textOf } from '../clients/answer.ts';
import { answerOf, type Books, type Entry } from '../clients/books.ts';
import { BOUGHT } from '../clients/play-cardano.ts';
import type { Finding } from './findings.ts';
import { equal, match } from './match.ts';
import type { WalletMove } from './money.ts';
import type { World } from './world.ts';

export interface CardanoSeen {
  /** By the sandbox's chain, such as `mint of 2.985000`. */
  readonly moves: readonly string[];
  /** Users' balances in the bought currency, by user id, in units. */
  readonly bought: ReadonlyMap<number, bigint>;
}

/** The chain's mints and burns, and users' balances in the bought currency. */
export async function readCardano({ db, people, api }: World): Promise<CardanoSeen> {
  const rows = await run<{ minted: string }>(
    db,
    `select data ->> 'minted' as minted from sandbox.records
     where provider = 'cardano' and kind = 'move' and data ? 'minted'`,
    [],
  );
  const bought = await Promise.all(
    people.map(async ({ user_id, token }, user) => {
      const wallets = listOf(await api(`GET /wallets/fiat/${user_id}`, { token }), 'data.wallets');
      const wallet = wallets.find((found) => textOf(found, 'currency') === BOUGHT);
      return [user, wallet ? money(BOUGHT, textOf(wallet, 'balance')).units : 0n] as const;
    }),
  );
  return {
    moves: rows.map(({ minted }) => moveName(BigInt(minted))),
    bought: new Map(bought),
  };
}

const moveName = (units: bigint): string =>
  units < 0n
    ? `burn of ${format({ asset: 'USDC', units: -units })}`
    : `mint of ${format({ asset: 'USDC', units })}`;

/** Each acknowledged operation is on the chain once, and its purchase is in the wallet. */
export function checkCardano(books: Books, seen: CardanoSeen): Finding[] {
  const rounds = books.done('cardano-round');
  const named = (step: 'mint' | 'burn', entry: Entry) => ({
    key: entry.operation.key,
    name: `${step} of ${textOf(answerOf(entry), `${step}Tx.amount`)}`,
  });
  const expected = [
    ...books.done('cardano-mint').map((entry) => named('mint', entry)),
    ...rounds.flatMap((entry) => [named('mint', entry), named('burn', entry)]),
  ];
  const payouts = Map.groupBy(rounds, ({ effect }) => effect.user);
  return [
    ...match('Cardano', expected, seen.moves),
    ...[...seen.bought].flatMap(([user, units]) => {
      const paid = (payouts.get(user) ?? []).reduce(
        (sum, entry) => sum + money(BOUGHT, textOf(answerOf(entry), 'walletTxIn.amount')).units,
        0n,
      );
      return equal(`${BOUGHT} of user ${user}`, 'the balance', units, paid);
    }),
  ];
}
/** The network's cost on top of the amount, by the answer, in cents. */
function networkFee(entry: Entry): bigint {
  const answer = answerOf(entry);
  const fee = fieldOf(answer, 'walletTx.network_fee') ?? fieldOf(answer, 'walletTxOut.network_fee');
  return typeof fee === 'string' ? money('USD', fee).units : 0n;
}

/** Its debits of wallets in dollars. */
export const cardanoMoves = (books: Books, user: number): WalletMove[] =>
  [...books.done('cardano-mint'), ...books.done('cardano-round')]
    .filter(({ effect }) => effect.user === user)
    .map((entry) => ({
      key: entry.operation.key,
      entry: 'cardano-mint',
      net: -entry.effect.cents - networkFee(entry),
    }));
