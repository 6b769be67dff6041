import { format } from '#kernel/money/money.ts';
import { listOf, textOf } from '../clients/answer.ts';
import type { Books } from '../clients/books.ts';
import { COINS } from '../clients/cast.ts';
import { hasCrypto, PLACES } from '../plan/workload.ts';
import type { Finding } from './findings.ts';
import { match } from './match.ts';
import { allPages } from './pages.ts';
import type { Sent } from './sends.ts';
import type { World } from './world.ts';

/** The service's view of a user's wallets and their outgoing operations, each as a name. */
export interface RecordsSeen {
  readonly user: number;
  readonly wallets: readonly string[];
  readonly sends: readonly string[];
  readonly transfers: readonly string[];
}

const PAGE = 100;

export const readRecords = ({ people, api }: World): Promise<RecordsSeen[]> =>
  Promise.all(
    people.map(async ({ user_id, token }, user) => {
      const get = (path: string) => api(`GET ${path}`, { token });
      const fiat = listOf(await get(`/wallets/fiat/${user_id}`), 'data.wallets');
      const crypto = listOf(await get(`/manual/wallets/crypto/${user_id}`), 'data.wallets');
      const history = (area: string) =>
        allPages(PAGE, async ({ length }) => {
          const page = `limit=${PAGE}&offset=${length}`;
          return listOf(await get(`/${area}/history/${user_id}?${page}`), 'data.transactions');
        });
      const [sends, transfers] = [await history('onchain'), await history('crosschain')];
      return {
        user,
        wallets: [
          ...fiat.map((wallet) => fiatName(textOf(wallet, 'currency'))),
          ...crypto.flatMap(walletNames),
        ],
        sends: sends.map((row) =>
          sendName({
            status: textOf(row, 'status'),
            amount: textOf(row, 'amount'),
            symbol: textOf(row, 'token_symbol'),
            to: textOf(row, 'destination_wallet'),
            chain: textOf(row, 'chain_id'),
          }),
        ),
        // An operation that has only begun has moved nothing.
        transfers: transfers
          .map((row) => `${textOf(row, 'log_id')} ${textOf(row, 'status')}`)
          .filter((name) => !name.endsWith(' INITIATED')),
      };
    }),
  );

const fiatName = (currency: string) => `wallet in ${currency}`;
const walletName = (name: string) => `crypto wallet "${name}"`;
const addressName = (wallet: string, chain: string) => `address of "${wallet}" on ${chain}`;

function walletNames(wallet: unknown): string[] {
  const name = textOf(wallet, 'wallet_name');
  const addresses = listOf(wallet, 'addresses');
  return [walletName(name), ...addresses.map((row) => addressName(name, textOf(row, 'chain_id')))];
}

interface SendShown {
  readonly status: string;
  readonly amount: string;
  readonly symbol: string;
  readonly to: string;
  readonly chain: string;
}
const sendName = ({ status, amount, symbol, to, chain }: SendShown) =>
  `${status} send of ${amount} ${symbol} to ${to.toLowerCase()} on ${chain}`;

/** Every list that a user sees has no duplicate and no missing row. */
export function checkRecords(
  books: Books,
  seen: readonly RecordsSeen[],
  allSends: readonly Sent[],
): Finding[] {
  return seen.flatMap(({ user, wallets, sends, transfers }) => {
    const own = <T extends { effect: { user: number } }>(entries: readonly T[]) =>
      entries.filter(({ effect }) => effect.user === user);
    const sentHere = allSends.filter((one) => one.user === user);
    const sent = sentHere.map(({ key, asset, chain, units, to }) => {
      const symbol = asset === 'USDC' ? 'USDC' : COINS[chain];
      const amount = bare(format({ asset: symbol, units }));
      return { key, name: sendName({ status: 'CONFIRMED', amount, symbol, to, chain }) };
    });
    const minted = own(books.done('mint')).map(({ operation: { key }, effect }) => ({
      key,
      name: `${effect.log_id} MINTED`,
    }));
    return [
      ...match(`wallets of user ${user}`, walletsOf(books, user), wallets),
      ...match(`sends of user ${user}`, sent, sends),
      ...match(`transfers of user ${user}`, minted, transfers),
    ];
  });
}

/** Without the zeros at the end. */
const bare = (amount: string): string => amount.replace(/\.?0+$/, '');

/** The first ones, and the requested ones. A second request in a currency answers the first. */
function walletsOf(books: Books, user: number) {
  const first = hasCrypto(user)
    ? [walletName('First'), ...PLACES.map((chain) => addressName('First', chain))]
    : [];
  const given = [fiatName('USD'), ...first].map((name) => ({ name, key: '' }));
  const currencies = new Map(
    books
      .done('fiat-wallet')
      .filter(({ effect }) => effect.user === user)
      .map(({ operation: { key }, effect }) => [effect.currency, key]),
  );
  // Unmatched money is refunded to one that is opened for it.
  for (const { operation, effect } of books.done('late-act'))
    if (effect.user === user && effect.act === 'refund') currencies.set('IDR', operation.key);
  return [
    ...given,
    ...[...currencies].map(([currency, key]) => ({ key, name: fiatName(currency) })),
    ...books
      .done('crypto-wallet')
      .filter(({ effect }) => effect.user === user)
      .map(({ operation: { key }, effect }) => ({ key, name: walletName(effect.wallet) })),
    ...books
      .done('address')
      .filter(({ effect }) => effect.user === user)
      .map(({ operation: { key }, effect }) => ({
        key,
        name: addressName(effect.wallet, effect.chain),
      })),
  ];
}
