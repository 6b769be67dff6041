import { run } from '#kernel/db/db.ts';
import { money } from '#kernel/money/money.ts';
import { listOf, numberOf, textOf } from '../clients/answer.ts';
import { answerOf, type Books, type Entry } from '../clients/books.ts';
import type { Finding } from './findings.ts';
import { lateRefunds } from './late-payments.ts';
import { type Expected, equal, match } from './match.ts';
import type { World } from './world.ts';

/** Rupiah in hundredths, USDC in millionths. */
export interface ConversionsSeen {
  /** Of all jobs, such as `ARC-DISB-… COMPLETED`. */
  readonly jobs: readonly string[];
  /** By user: the wallet's balance, and the rests of conversions too small to trade. */
  readonly wallets: ReadonlyMap<number, { readonly balance: bigint; readonly returned: bigint }>;
  /** The exchange's operations, such as `order of 200013.00` and `withdrawal to 0x…`. */
  readonly done: readonly string[];
  /** Its withdrawals, by address. */
  readonly arrived: ReadonlyMap<string, bigint>;
  /** The exchange's holdings beyond those in our ledger. */
  readonly stray: { readonly idr: bigint; readonly usdc: bigint };
}

export async function readConversions(world: World): Promise<ConversionsSeen> {
  const { db, people, books } = world;
  const jobs = await run<{ user_id: number; name: string; returned: string }>(
    db,
    `select user_id, reference_id || ' ' || status as name, returned::text as returned
     from conversion_jobs`,
    [],
  );
  const users = new Set(books.done('rupiah-fund').map(({ effect }) => effect.user));
  const wallets = [...users].map(async (user) => {
    const own = jobs.filter(({ user_id }) => user_id === people[user]?.user_id);
    const returned = own.reduce((sum, job) => sum + BigInt(job.returned), 0n);
    return [user, { balance: await rupiahOf(world, user), returned }] as const;
  });
  const withdrawals = await withdrawn(world);
  const arrived = new Map<string, bigint>();
  for (const { address, units } of withdrawals)
    arrived.set(address, (arrived.get(address) ?? 0n) + units);
  return {
    jobs: jobs.map(({ name }) => name),
    wallets: new Map(await Promise.all(wallets)),
    done: [
      ...(await ordered(world)).map(orderName),
      ...withdrawals.map(({ address }) => withdrawalName(address)),
    ],
    arrived,
    stray: await strayOf(world),
  };
}

async function rupiahOf({ people, api }: World, user: number): Promise<bigint> {
  const { user_id, token = '' } = people[user] ?? {};
  const wallets = listOf(await api(`GET /wallets/fiat/${user_id}`, { token }), 'data.wallets');
  const wallet = wallets.find((found) => textOf(found, 'currency') === 'IDR');
  return wallet ? money('IDR', textOf(wallet, 'balance')).units : 0n;
}

const FILLED = '2';
const ARRIVED = '10';

/** The sums of the exchange's filled orders. */
async function ordered({ db }: World): Promise<string[]> {
  const rows = await run<{ asked: string }>(
    db,
    `select data ->> 'asked' as asked from sandbox.records
     where provider = 'exchange' and kind = 'order' and data ->> 'status' = $1`,
    [FILLED],
  );
  return rows.map(({ asked }) => asked);
}

async function withdrawn({ db }: World): Promise<{ address: string; units: bigint }[]> {
  const rows = await run<{ address: string; amount: string }>(
    db,
    `select data ->> 'address' as address, data ->> 'amount' as amount from sandbox.records
     where provider = 'exchange' and kind = 'withdrawal' and data ->> 'status' = $1`,
    [ARRIVED],
  );
  return rows.map(({ address, amount }) => ({
    address: address.toLowerCase(),
    units: money('USDC', amount).units,
  }));
}

const orderName = (asked: string): string => `order of ${money('IDR', asked).units}`;
const withdrawalName = (address: string): string => `withdrawal to ${address.toLowerCase()}`;

/** Money that others hold for us is below zero in our ledger. */
async function strayOf({ db }: World): Promise<ConversionsSeen['stray']> {
  const [account] = await run<{ idr: string; usdc: string }>(
    db,
    `select data ->> 'idr' as idr, data ->> 'usdc' as usdc from sandbox.records
     where provider = 'exchange' and kind = 'account'`,
    [],
  );
  const booked = await run<{ asset: string; posted: string }>(
    db,
    `select asset, sum(posted)::text as posted from ledger.accounts
     where owner = 'house' and purpose = 'exchange' group by asset`,
    [],
  );
  const ours = new Map(booked.map(({ asset, posted }) => [asset, BigInt(posted)]));
  return {
    idr: BigInt(account?.idr ?? 0) + (ours.get('IDR') ?? 0n),
    usdc: BigInt(account?.usdc ?? 0) + (ours.get('USDC') ?? 0n),
  };
}

/** Each acknowledged conversion was traded once, withdrawn once, at the expected cost. */
export function checkConversions(books: Books, seen: ConversionsSeen): Finding[] {
  const done = books.done('conversion');
  const named = ({ operation: { key } }: Entry, name: string): Expected => ({ key, name });
  const wallets = [...seen.wallets].flatMap(([user, { balance, returned }]) => {
    const spent = done
      .filter(({ effect }) => effect.user === user)
      .reduce((sum, { effect }) => sum + BigInt(effect.rupiah) * 100n, 0n);
    const wanted = fundedBy(books, user) - spent + returned + lateRefunds(books, user);
    return equal(`rupiah of user ${user}`, 'the balance', balance, wanted);
  });
  return [
    ...match(
      'conversions',
      done.map((entry) => named(entry, `${referenceOf(entry)} COMPLETED`)),
      seen.jobs,
    ),
    ...match(
      'exchange',
      done.flatMap((entry) => [
        named(entry, orderName(`${entry.effect.rupiah}.00`)),
        named(entry, withdrawalName(entry.effect.to)),
      ]),
      seen.done,
    ),
    ...wallets,
    ...equal('exchange', 'what it has of rupiah beyond our books', seen.stray.idr, 0n),
    ...equal('exchange', 'what it has of USDC beyond our books', seen.stray.usdc, 0n),
  ];
}

const referenceOf = (entry: Entry): string => textOf(answerOf(entry), 'data.reference_id');

const fundedBy = (books: Books, user: number): bigint =>
  books
    .done('rupiah-fund')
    .filter(({ effect }) => effect.user === user)
    .reduce((sum, entry) => {
      const net = numberOf(answerOf(entry), 'data.net_amount');
      return sum + money('IDR', net.toFixed(2)).units;
    }, 0n);

/** The gateway's expected pay-outs for them. */
export const conversionPayouts = (books: Books): Expected[] =>
  books.done('conversion').map((entry) => ({
    key: entry.operation.key,
    name: `DISBURSEMENT of ${entry.effect.rupiah} for ${referenceOf(entry)}`,
  }));
