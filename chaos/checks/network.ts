import { type Asset, format } from '#kernel/money/money.ts';
import { listOf, textOf } from '../clients/answer.ts';
import type { Books } from '../clients/books.ts';
import { DISPUTED } from '../clients/play-charge-back.ts';
import { SAVINGS } from '../clients/play-freeze.ts';
import type { Mode } from '../plan/plan.ts';
import type { Finding } from './findings.ts';
import { match } from './match.ts';
import { allPages } from './pages.ts';
import type { World } from './world.ts';

const PAGE = 100;

/** All movements of money at the card network, such as `pull of 50.37 USD`. */
export async function readNetwork({ sandbox }: Pick<World, 'sandbox'>): Promise<string[]> {
  const rows = await allPages(PAGE, async (known) => {
    const last = known.at(-1);
    const before = last === undefined ? '' : `&before=${textOf(last, 'id')}`;
    return listOf(await sandbox(`GET /cards?limit=${PAGE}${before}`), '');
  });
  return rows
    .filter((row) => textOf(row, 'actionCode') === '00')
    .map((row) => `${textOf(row, 'kind')} of ${textOf(row, 'amount')} ${textOf(row, 'currency')}`);
}

/** Each acknowledged card operation moved money at the network once; in mock mode none did. */
export function checkNetwork(books: Books, mode: Mode, seen: readonly string[]): Finding[] {
  const named = (kind: string, units: bigint, asset: Asset = 'USD') =>
    `${kind} of ${format({ asset, units })} ${asset}`;
  const expected = [
    ...books
      .done('top-up')
      .map(({ operation: { key }, effect }) => ({ key, name: named('pull', effect.cents) })),
    ...books.done('rupiah-fund').map(({ operation: { key }, effect: { rupiah } }) => ({
      key,
      name: named('pull', BigInt(rupiah) * 100n, 'IDR'),
    })),
    ...books.done('savings-in').map(({ operation: { key }, effect }) => ({
      key,
      name: named('pull', effect.cents, SAVINGS),
    })),
    ...books.done('savings-out').map(({ operation: { key }, effect }) => ({
      key,
      name: named('push', effect.cents, SAVINGS),
    })),
    ...extraMoves(books).map(({ key, kind, units, asset }) => ({
      key,
      name: named(kind, units, asset),
    })),
    ...books
      .done('refund')
      .map(({ operation: { key }, effect }) => ({ key, name: named('reversal', effect.cents) })),
    ...books
      .done('push')
      .map(({ operation: { key }, effect }) => ({ key, name: named('push', effect.cents) })),
  ];
  return match('card network', mode === 'live' ? expected : [], seen);
}

interface NetworkMove {
  readonly key: string;
  readonly kind: string;
  readonly units: bigint;
  readonly asset: Asset;
}

/** Those of guests, and of payments that the network takes back and returns. */
function extraMoves(books: Books): NetworkMove[] {
  const guests = (effect: 'guest-in' | 'guest-out', kind: string) =>
    books.done(effect).map(({ operation: { key }, effect: { cents } }): NetworkMove => {
      return { key, kind, units: cents, asset: 'USD' };
    });
  const disputes = books.done('charge-in').flatMap(({ operation: { key }, effect }) => {
    const { cents: units, fate } = effect;
    const kinds = {
      kept: ['pull'],
      charged: ['pull', 'chargeback'],
      won: ['pull', 'chargeback', 'representment'],
    }[fate];
    return kinds.map((kind): NetworkMove => ({ key, kind, units, asset: DISPUTED }));
  });
  const refunds = books.done('charge-refund').map(({ operation: { key }, effect: { cents } }) => {
    return { key, kind: 'reversal', units: cents, asset: DISPUTED } as const;
  });
  return [...guests('guest-in', 'pull'), ...guests('guest-out', 'push'), ...disputes, ...refunds];
}
