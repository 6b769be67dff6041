import { expect, test } from 'vitest';
import type { BookLine, BookWindow, Rail } from '#kernel/reconciliation/rail.ts';
import { arrive, converting } from '#test/conversions.ts';
import { harness } from '#test/harness.ts';
import { listAtExchange, type RailPosition } from './rail-store.ts';

const h = await harness({ mock: false });
await h.drain();

const railOf = (wanted: string): Rail => {
  const [rail] = h.app.features.rails.filter(({ name }) => name === wanted);
  if (!rail) throw new Error(`There is no rail ${wanted}`);
  return rail;
};

const booksOf = (lines: readonly BookLine[]) =>
  lines.map(({ reference, kind, asset, units }) => `${reference} ${kind} ${units} ${asset}`).sort();

async function linesOfTheirs({ theirs }: Rail, window: BookWindow): Promise<BookLine[]> {
  const lines: BookLine[] = [];
  for (let after: string | undefined; ; ) {
    const page = await theirs(window, after);
    if (page.kind !== 'done') throw new Error(JSON.stringify(page));
    lines.push(...page.value.lines);
    if (page.value.next === undefined) return lines;
    after = page.value.next;
  }
}

test('bookings of the exchange equal its statement, line by line', async () => {
  const from = new Date(h.clock.now().getTime() - 1000);
  const admin = await h.operator();
  const references: string[] = [];
  const users = [await converting(h), await converting(h, { rupiah: '432100' })];
  for (const [i, user] of users.entries()) {
    const [, { data }] = await user.start(i === 0 ? 500_000 : 432_100);
    await arrive(h, data.reference_id);
    references.push(data.reference_id);
  }
  await h.call('POST /exchange/conversion/poll-balance', { as: admin });
  await h.call('POST /exchange/conversion/run-trades', { as: admin });
  await h.drain();
  await h.advance(120);
  await h.drain();
  const window = { from, to: new Date(h.clock.now().getTime() + 1000) };
  const { ours } = railOf('exchange');
  const booked = await ours(h.db, window);
  expect(booked.next).toBeUndefined();
  expect(booksOf(booked.lines)).toHaveLength(8);
  expect(booksOf(booked.lines)).toEqual(booksOf(await linesOfTheirs(railOf('exchange'), window)));
  expect(new Set(booked.lines.map(({ line }) => line)).size).toBe(8);

  const owners = new Set(users.map(({ as }) => as.client_id));
  expect(new Set(booked.lines.map(({ clientId }) => clientId))).toEqual(owners);

  const paid = await railOf('conversion-payouts').ours(h.db, window);
  expect(booksOf(paid.lines)).toEqual(
    [`${references[0]} payout -50000000 IDR`, `${references[1]} payout -43210000 IDR`].sort(),
  );
  expect(booksOf(paid.lines)).toEqual(
    booksOf(await linesOfTheirs(railOf('conversion-payouts'), window)),
  );

  const paged: string[] = [];
  let after: RailPosition | undefined;
  do {
    const rows = await listAtExchange(h.db, window, after, 3);
    paged.push(...rows.map(({ line }) => line));
    after = rows.at(-1);
  } while (after);
  expect(paged).toEqual(booked.lines.map(({ line }) => line));
});
