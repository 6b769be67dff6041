import { run } from '#kernel/db/db.ts';
import { format } from '#kernel/money/money.ts';
import { textOf } from '../clients/answer.ts';
import { answerOf, type Books } from '../clients/books.ts';
import type { Finding } from './findings.ts';
import { type Expected, match } from './match.ts';
import type { WalletMove } from './money.ts';
import type { World } from './world.ts';

/** Payments between people and to banks, in our books and in the bank's. */
export interface PaidOnSeen {
  /** Such as `801 from user 1 to user 2 COMPLETED`. */
  readonly transfers: readonly string[];
  /** Such as `wdr_… of 801 COMPLETED`. */
  readonly withdrawals: readonly string[];
  /** Such as `7-client-0-wages-1 of 1400 COMPLETED`. */
  readonly wages: readonly string[];
  /** Such as `req_… ACCEPTED`. */
  readonly requests: readonly string[];
  /** What the bank has debited, such as `8.01 for wdr_…`, and by the caller’s name where a batch pays. */
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
    `select (data ->> 'amount') || ' for ' || coalesce(i.reference, data ->> 'endToEndId') as name
     from sandbox.records left join batch_items i on i.our_reference = data ->> 'endToEndId'
     where provider = 'bank-host' and kind = 'booking' and data ->> 'direction' = 'DBIT'`,
    [],
  );
  const wages = await run<{ name: string }>(
    db,
    `select reference || ' of ' || amount || ' ' || status as name from batch_items`,
    [],
  );
  const requests = await run<{ name: string }>(
    db,
    `select object_id || ' ' || status as name from payment_requests`,
    [],
  );
  return {
    wages: wages.map(({ name }) => name),
    requests: requests.map(({ name }) => name),
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

/** Each transfer is made once, each request paid once, and each withdrawal and payment of a batch by the bank once. */
export function checkPaidOn(books: Books, seen: PaidOnSeen): Finding[] {
  const out = books.done('withdrawal').map((entry) => ({
    key: entry.operation.key,
    units: entry.effect.cents,
    id: textOf(answerOf(entry), 'data.withdrawal_id'),
  }));
  const wages = books
    .done('wages')
    .flatMap(({ operation: { key }, effect }) =>
      effect.wages.map(({ reference: id, cents: units }) => ({ key, id, units })),
    );
  return [
    ...match(
      'payments of batches',
      wages.map(({ key, id, units }) => ({ key, name: `${id} of ${units} COMPLETED` })),
      seen.wages,
    ),
    ...match('requests for money', acceptedOf(books), seen.requests),
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
      [...out, ...wages].map(({ key, id, units }) => {
        return { key, name: `${format({ asset: 'USD', units })} for ${id}` };
      }),
      seen.debits,
    ),
  ];
}

const acceptedOf = (books: Books): Expected[] =>
  books.done('wallet-transfer').flatMap((entry) => {
    const { path, key } = entry.operation;
    const [, id] = /\/requests\/(req_\w+)\/accept$/.exec(path) ?? [];
    return id === undefined ? [] : [{ key, name: `${id} ACCEPTED` }];
  });

/** What the platform takes for a withdrawal, or a payment of a batch, in dollars, on top. */
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
  const wages = books
    .done('wages')
    .filter(({ effect }) => effect.user === user)
    .flatMap(({ operation: { key }, effect }) =>
      effect.wages.map(({ cents }) => ({ key, entry: 'batch-payment', net: -(cents + FEE) })),
    );
  return [...transfers, ...withdrawals, ...wages];
}
