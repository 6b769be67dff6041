import { listOf, numberOf } from '../clients/answer.ts';
import type { Books } from '../clients/books.ts';
import { deviceOf } from '../clients/play-member.ts';
import type { Finding } from './findings.ts';
import { equal } from './match.ts';
import type { World } from './world.ts';

/** The points of members of the rewards app, by phone number. */
export type PointsSeen = ReadonlyMap<string, { readonly points: number; readonly pushes: number }>;

export async function readPoints({ api, sandbox, books }: World): Promise<PointsSeen> {
  const found = await Promise.all(
    books.done('member').map(async ({ effect: { phone } }) => {
      const entered = await api('POST /xusers/login', { body: { phone } });
      const pushed = await sandbox(`GET /messages?channel=push&to=${deviceOf(phone)}`);
      const [points, pushes] = [numberOf(entered, 'user.point_balance'), listOf(pushed, '').length];
      return [phone, { points, pushes }] as const;
    }),
  );
  return new Map(found);
}

const POINTS = 50n;

/**
 * 50 for joining and 50 for each action; and each with a message, of which a second one does no harm.
 */
export const checkPoints = (books: Books, seen: PointsSeen): Finding[] =>
  books.done('member').flatMap(({ effect: { phone } }) => {
    const does = books.done('points').filter(({ effect }) => effect.phone === phone);
    const rewards = 1 + does.length;
    const { points, pushes } = seen.get(phone) ?? { points: -1, pushes: 0 };
    const unequal = equal(
      'rewards',
      `the points of ${phone}`,
      BigInt(points),
      POINTS * BigInt(rewards),
    );
    if (pushes >= rewards) return unequal;
    const keys = does.map(({ operation: { key } }) => key);
    const what = `${phone} got ${pushes} messages about ${rewards} rewards`;
    return [...unequal, { kind: 'lost', where: 'messages', what, keys }];
  });
