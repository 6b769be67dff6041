import { done, type Outcome } from '#kernel/effects/outcome.ts';
import type { BookLine, BookPage, BookWindow } from '#kernel/reconciliation/rail.ts';
import type { AssetMove, Blockfrost, Minting } from './blockfrost.ts';
import { PAGE } from './blockfrost-wire.ts';

/** Pages of a hundred that a window may need; what is beyond is asked for in smaller windows. */
const PAGES_MAX = 50;

/**
 * What was minted and burnt in a window, by the chain. It lists the newest first, times apart from
 * amounts, so that both lists are read back to where the window begins.
 */
export async function readStatement(
  node: Blockfrost,
  assetId: string,
  { from, to }: BookWindow,
): Promise<Outcome<BookPage>> {
  const moves = await back<AssetMove>(
    (page) => node.movesOf(assetId, page),
    (move) => move.at >= from,
  );
  if (moves.kind !== 'done') return moves;
  const times = new Map(moves.value.map(({ hash, at }) => [hash, at]));
  const mintings = await back<Minting>(
    (page) => node.mintingsOf(assetId, page),
    ({ hash }) => times.has(hash),
  );
  if (mintings.kind !== 'done') return mintings;
  const lines = mintings.value.flatMap(({ hash, units }): BookLine[] => {
    const at = times.get(hash);
    if (at === undefined || at < from || at >= to) return [];
    const kind = units > 0n ? 'mint' : 'burn';
    return [{ line: hash, reference: hash, kind, asset: 'USDC', units, at }];
  });
  return done({ lines: lines.reverse() });
}

/** All rows from the newest back to the first that is not wanted any more. */
async function back<T>(
  read: (page: number) => Promise<Outcome<T[]>>,
  isWanted: (row: T) => boolean,
): Promise<Outcome<T[]>> {
  const all: T[] = [];
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const answer = await read(page);
    if (answer.kind !== 'done') return answer;
    const wanted = answer.value.filter(isWanted);
    all.push(...wanted);
    if (answer.value.length < PAGE || wanted.length < answer.value.length) return done(all);
  }
  return { kind: 'unknown', cause: 'There are too many transactions in that window' };
}
