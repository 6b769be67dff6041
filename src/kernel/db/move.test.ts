import { expect, test } from 'vitest';
import { harness } from '#test/harness.ts';
import { run } from './db.ts';
import { movesOf } from './move.ts';
import type { DB } from './schema.generated.ts';

const h = await harness();
await run(
  h.db,
  `create table parcels (name text primary key, status text not null, weight numeric, sent_at timestamptz)`,
  [],
);

interface Parcel {
  readonly name: string;
  readonly status: 'PACKED' | 'SENT' | 'LOST';
  readonly weight: bigint | null;
  readonly sent_at: string | null;
}
const { move, tryMove } = movesOf<Parcel>('parcels' as keyof DB);

async function parcel(status: Parcel['status']): Promise<string> {
  const name = `parcel-${crypto.randomUUID()}`;
  await run(h.db, 'insert into parcels (name, status) values ($1, $2)', [name, status]);
  return name;
}

test('a move changes the columns that it names and answers the row', async () => {
  const name = await parcel('PACKED');
  const sent_at = '2026-11-27T03:00:00.000Z';
  const moved = await move(
    h.db,
    { name, status: 'PACKED' },
    { status: 'SENT', weight: 12n, sent_at },
  );
  expect(moved).toEqual({ name, status: 'SENT', weight: 12n, sent_at });
});

test('a move from another state changes nothing and throws', async () => {
  const name = await parcel('LOST');
  const moving = move(h.db, { name, status: ['PACKED', 'SENT'] }, { status: 'SENT' });
  await expect(moving).rejects.toThrow(`No row of parcels is name ${name} and status PACKED,SENT`);
  expect(await tryMove(h.db, { name, status: 'PACKED' }, { status: 'SENT' })).toBeUndefined();
  expect(await tryMove(h.db, { name, status: 'LOST' }, { weight: 1n })).toMatchObject({
    weight: 1n,
  });
});

test('one of twenty equal moves at once wins', async () => {
  const name = await parcel('PACKED');
  const moves = Array.from({ length: 20 }, () =>
    tryMove(h.db, { name, status: 'PACKED' }, { status: 'SENT' }),
  );
  const won = (await Promise.all(moves)).filter((row) => row !== undefined);
  expect(won).toHaveLength(1);
});

test('a filter that fits two rows fails', async () => {
  await Promise.all([parcel('SENT'), parcel('SENT')]);
  await expect(move(h.db, { status: 'SENT' }, { status: 'SENT' })).rejects.toThrow(/fits \d+ rows/);
});
