import { randomUUID } from 'node:crypto';
import { type Db, run } from '#kernel/db/db.ts';
import {
  type AnyEffect,
  defineEffect,
  type Effect,
  type EffectAttempt,
  type Settled,
} from '#kernel/effects/effect.ts';
import type { BeginOptions, Effects } from '#kernel/effects/effects.ts';
import { done, type Outcome, refused, unknown } from '#kernel/effects/outcome.ts';
import type { Intent } from '#kernel/effects/runner.ts';
import { capture, hold, release } from '#kernel/ledger/ledger.ts';
import { postAllWithin, postWithin } from '#kernel/ledger/post.ts';
import { callHttp, type ProviderReply } from '#kernel/provider-call.ts';
import { transact } from '#kernel/transact.ts';
import type { Manner } from './counterparty.ts';

/** The points at which a process can be killed: everything before a point is done, and nothing after it. */
export const POINTS = ['begun', 'calling', 'heard', 'booking', 'booked'] as const;
export type Point = (typeof POINTS)[number];

/** One request of a made-up feature, with money set aside for it. */
export interface Wish {
  readonly id: string;
  readonly manner: Manner;
  /** Goes up when it is requested again. */
  readonly time: number;
}

export type Shape = Effect<Wish, string, string>;

export const SHAPES_SQL = `
  create table wishes (id text primary key, manner text not null, time integer not null default 1,
    status text not null default 'PENDING');
  create table signatures (id text not null, name text not null);`;

export interface Place {
  readonly db: Db;
  readonly url: string;
  readonly accounts: { readonly payer: number; readonly house: number };
  /** The points at which a process may hang. */
  at(point: Point, id: string): Promise<void>;
}

const AMOUNT = 5n;
const UNSEEN = { forMs: 900_000, code: 'NOT_SEEN' };
export const referenceOf = ({ id, time }: Wish): string => `${id}.${time}`;

/** Variants that need kills of their own, since the kernel takes another path with them. */
export const traitsOf = ({ repeatable, lookUp, isExclusive, reopens, settleAll }: AnyEffect) =>
  Object.entries({ repeatable, lookUp, isExclusive, reopens, settleAll })
    .flatMap(([trait, value]) => (value ? [trait] : []))
    .join(' ');

/** An effect of each shape that the product has: test/effects.test.ts checks that. */
export function shapesOf(place: Place): Record<string, Shape> {
  const base = baseOf(place);
  const lookUp = (wish: Wish) => look(place, wish);
  const once = { ...base, lookUp, repeatable: false, unseen: UNSEEN };
  return {
    repeatable: defineEffect({ ...base, kind: 'repeatable' }),
    looked: defineEffect({ ...base, kind: 'looked', lookUp }),
    once: defineEffect({ ...once, kind: 'once', call: (wish) => ask(place, wish, randomUUID()) }),
    single: defineEffect({ ...base, kind: 'single', isExclusive: true }),
    exclusive: defineEffect<Wish, string, string>({
      ...base,
      kind: 'exclusive',
      isExclusive: true,
      reopens: true,
      lookUp,
      call: async (wish, attempt) => ask(place, wish, await sign(place, wish, attempt)),
    }),
    exclusiveOnce: defineEffect<Wish, string, string>({
      ...once,
      kind: 'exclusive-once',
      isExclusive: true,
      reopens: true,
      async call(wish, attempt) {
        await sign(place, wish, attempt);
        return ask(place, wish, randomUUID());
      },
    }),
    secret: defineEffect<Wish, string, string>({
      ...once,
      kind: 'secret',
      call: async (wish, { secret }) =>
        secret === undefined ? unknown('It is kept nowhere') : ask(place, wish, randomUUID()),
    }),
    batched: defineEffect<Wish, string, string>({
      ...once,
      kind: 'batched',
      call: (wish) => ask(place, wish, randomUUID()),
      settleAll: (tx, all) => settleAll(place, tx, all),
    }),
    reopening: defineEffect({ ...base, kind: 'reopening', reopens: true }),
  };
}

/** Repeatable, without other properties. */
export const baseOf = (place: Place) => ({
  repeatable: true,
  async open(db: Db, id: string) {
    const [wish] = await run<Wish>(db, 'select id, manner, time from wishes where id = $1', [id]);
    return wish;
  },
  call: (wish: Wish, _: EffectAttempt<string>) => ask(place, wish, referenceOf(wish)),
  settle: (tx: Db, row: Wish, value: string) => settleAll(place, tx, [{ row, value }]),
  async refuse(tx: Db, wish: Wish): Promise<undefined> {
    await close(tx, [wish], 'FAILED');
    const key = `${referenceOf(wish)}:back`;
    const meta = { hold: referenceOf(wish) };
    await postWithin(tx, { key, kind: 'test', legs: release(place.accounts.payer, AMOUNT), meta });
  },
});

/** The request, its money and its effect, all or nothing. */
export const beginWish = (
  { db, accounts }: Place,
  effects: Effects,
  given: { readonly effect: Shape; readonly wish: Wish; readonly options?: BeginOptions },
): Promise<Intent | undefined> =>
  transact(db, async (tx) => {
    const { effect, wish, options } = given;
    const { id, manner, time } = wish;
    await run(
      tx,
      `insert into wishes (id, manner, time) values ($1, $2, $3)
       on conflict (id) do update set time = excluded.time, status = 'PENDING'`,
      [id, manner, time],
    );
    const intent = await effects.begin(tx, effect, id, options);
    const key = `${referenceOf(wish)}:hold`;
    const meta = { hold: referenceOf(wish) };
    await postWithin(tx, { key, kind: 'test', legs: hold(accounts.payer, AMOUNT), meta });
    return intent;
  });

async function settleAll(
  { accounts, at }: Place,
  tx: Db,
  all: readonly Settled<Wish, string>[],
): Promise<void> {
  const wishes = all.map(({ row }) => row);
  for (const { id } of wishes) await at('booking', id);
  await close(tx, wishes, 'DONE');
  const legs = capture(accounts.payer, accounts.house, AMOUNT);
  await postAllWithin(
    tx,
    wishes
      .map(referenceOf)
      .map((hold) => ({ key: `${hold}:paid`, kind: 'test', legs, meta: { hold } })),
  );
}

async function close(tx: Db, wishes: readonly Wish[], status: string): Promise<void> {
  const ids = wishes.map(({ id }) => id);
  const closed = await run(
    tx,
    `update wishes set status = $1 where id = any($2::text[]) and status = 'PENDING' returning id`,
    [status, ids],
  );
  if (closed.length !== ids.length) throw new Error(`${ids} are not all pending`);
}

/** Requests it under an idempotency name, the same for a repetition. */
export async function ask({ url, at }: Place, wish: Wish, name: string): Promise<Outcome<string>> {
  const { id, manner } = wish;
  await at('calling', id);
  const body = { reference: referenceOf(wish), name, manner };
  const reply = await callHttp({ name: 'test', method: 'POST', url: `${url}/do`, body });
  await at('heard', id);
  return outcomeOf(reply);
}

/** Makes a name, or answers the existing one; only the lease guarantees that there is one. */
async function sign(
  { db, at }: Place,
  { id }: Wish,
  attempt: EffectAttempt<string>,
): Promise<string> {
  await at('begun', id);
  return transact(db, async (tx) => {
    await attempt.permit(tx);
    const text = 'select name from signatures where id = $1';
    const [known] = await run<{ name: string }>(tx, text, [id]);
    const name = known?.name ?? randomUUID();
    if (!known) await run(tx, 'insert into signatures (id, name) values ($1, $2)', [id, name]);
    return name;
  });
}

/** The counterparty's record of it. */
export async function look({ url }: Place, wish: Wish): Promise<Outcome<string | undefined>> {
  const { manner } = wish;
  const query = new URLSearchParams({ reference: referenceOf(wish), manner });
  const reply = await callHttp({ name: 'test', method: 'GET', url: `${url}/seen?${query}` });
  return !('lost' in reply) && reply.status === 404 ? done(undefined) : outcomeOf(reply);
}

function outcomeOf(reply: ProviderReply): Outcome<string> {
  if ('lost' in reply) return unknown(reply.lost);
  if (reply.status === 200) return done('done');
  return reply.status === 409 ? refused('CLOSED', 'It is closed') : unknown(`${reply.status}`);
}
