import { run } from '#kernel/db/db.ts';
import { format } from '#kernel/money/money.ts';
import { textOf } from '../clients/answer.ts';
import { answerOf, type Books } from '../clients/books.ts';
import type { Finding } from './findings.ts';
import { match } from './match.ts';
import type { WalletMove } from './money.ts';
import type { World } from './world.ts';

/** Payments between people and to banks, in our books and in the bank's. */
export interface PaidOnSeen {
  /** Such as `801 from user 1 to user 2 COMPLETED`. */
  readonly transfers: readonly string[];
  /** Such as `wdr_… of 801 COMPLETED`. */
  readonly withdrawals: readonly string[];
  /** What the bank has debited, such as `8.01 for wdr_…`. */
  readonly debits: readonly string[];
}

export async function readPaidOn({ db, people }: World): Promise<PaidOnSeen> {
  const numberOf = (id: number) => people.findIndex(({ user_id }) => user_id === id);
  const transfers = await run<{ units: string; by: number; to: number; status: string }>(
    db,
    `select p.amount::text as units, t.user_id as by, p.to_user_id as to, t.status
     from wallet_transfers t join wallet_transfer_parts p using (transfer_id)`,
    [],
  );
  const withdrawals = await run<{ name: string }>(
    db,
    `select our_reference || ' of ' || amount || ' ' || status as name from withdrawals`,
    [],
  );
  const debits = await run<{ name: string }>(
    db,
    `select (data ->> 'amount') || ' for ' || (data ->> 'endToEndId') as name from sandbox.records
     where provider = 'bank-host' and kind = 'booking' and data ->> 'direction' = 'DBIT'`,
    [],
  );
  return {
    transfers: transfers.map(({ units, by, to, status }) =>
      transferName(units, { user: numberOf(by), receiver: numberOf(to) }, status),
    ),
    withdrawals: withdrawals.map(({ name }) => name),
    debits: debits.map(({ name }) => name),
  };
}

interface Sides {
  readonly user: number;
  readonly receiver: number;
}

const transferName = (units: string | bigint, { user, receiver }: Sides, status: string): string =>
  `${units} from user ${user} to user ${receiver} ${status}`;

/** Each transfer is made once, and each withdrawal is paid by the bank once. */
export function checkPaidOn(books: Books, seen: PaidOnSeen): Finding[] {
  const out = books.done('withdrawal').map((entry) => ({
    key: entry.operation.key,
    units: entry.effect.cents,
    id: textOf(answerOf(entry), 'data.withdrawal_id'),
  }));
  return [
    ...match(
      'transfers between people',
      books.done('wallet-transfer').map(({ operation: { key }, effect }) => {
        return { key, name: transferName(effect.cents, effect, 'COMPLETED') };
      }),
      seen.transfers,
    ),
    ...match(
      'withdrawals',
      out.map(({ key, id, units }) => ({ key, name: `${id} of ${units} COMPLETED` })),
      seen.withdrawals,
    ),
    ...match(
      'the bank of withdrawals',
      out.map(({ key, id, units }) => {
        return { key, name: `${format({ asset: 'USD', units })} for ${id}` };
      }),
      seen.debits,
    ),
  ];
}

/** What the platform takes for a withdrawal in dollars, on top. */
const FEE = 50n;

/** Their effect on wallets, the receiver's among them. */
export function paidOnMoves(books: Books, user: number): WalletMove[] {
  const transfers = books.done('wallet-transfer').flatMap(({ operation: { key }, effect }) => {
    const move = { key, entry: 'wallet-transfer' };
    return [
      ...(effect.user === user ? [{ ...move, net: -effect.cents }] : []),
      ...(effect.receiver === user ? [{ ...move, net: effect.cents }] : []),
    ];
  });
  const withdrawals = books
    .done('withdrawal')
    .filter(({ effect }) => effect.user === user)
    .map(({ operation: { key }, effect: { cents } }) => {
      return { key, entry: 'withdrawal', net: -(cents + FEE) };
    });
  return [...transfers, ...withdrawals];
}
