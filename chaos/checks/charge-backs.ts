import { run } from '#kernel/db/db.ts';
import { format, money } from '#kernel/money/money.ts';
import { textOf } from '../clients/answer.ts';
import { answerOf, type Books } from '../clients/books.ts';
import { DISPUTED } from '../clients/play-charge-back.ts';
import type { Finding } from './findings.ts';
import { type Line, linesIn } from './lines.ts';
import { type Expected, match } from './match.ts';
import { cardFeeOf } from './money.ts';
import type { World } from './world.ts';

/** The visible state of card payments that the network took back. */
export interface ChargeBacksSeen {
  /** By user: movements of money; the amounts taken back and returned of one payment are one sum. */
  readonly moves: readonly { readonly user: number; readonly names: readonly string[] }[];
  /** Payments taken back after their refund, such as `10.00 of card:TOPUP-…`. */
  readonly twice: readonly string[];
}

export async function readChargeBacks({ db, api, people }: World): Promise<ChargeBacksSeen> {
  const moves = await Promise.all(
    people.map(async (person, user) => {
      const lines = await linesIn(api, person, DISPUTED);
      const own = lines.filter((line) => takenOf(line) === undefined);
      return {
        user,
        names: [...own.map(({ type, amount }) => moveName(type, unitsOf(amount))), ...taken(lines)],
      };
    }),
  );
  const rows = await run<{ payment: string; excess: bigint }>(
    db,
    'select payment, excess from ledger.returns where excess > 0',
    [],
  );
  return { moves, twice: rows.map(({ payment, excess }) => twiceName(payment, excess)) };
}

/** The payment with an amount taken back, or returned. */
const takenOf = ({ type, reference }: Line): string | undefined =>
  type.startsWith('card-chargeback') ? reference.replace(/:returned:.*$/, '') : undefined;

function taken(lines: readonly Line[]): string[] {
  const sums = new Map<string, bigint>();
  for (const line of lines) {
    const payment = takenOf(line);
    if (payment !== undefined) sums.set(payment, (sums.get(payment) ?? 0n) + unitsOf(line.amount));
  }
  return [...sums].flatMap(([payment, sum]) => (sum === 0n ? [] : [takenName(payment, sum)]));
}

function unitsOf(amount: string): bigint {
  const { units } = money(DISPUTED, amount.replace('-', ''));
  return amount.startsWith('-') ? -units : units;
}

const inr = (units: bigint) => format({ asset: DISPUTED, units });
const moveName = (type: string, units: bigint) => `${type} by ${inr(units)}`;
const takenName = (payment: string, units: bigint) => `charge-back of ${payment} by ${inr(units)}`;
const twiceName = (payment: string, units: bigint) => `${inr(units)} of ${payment}`;

/** Each payment is taken back once, less our refund, which the network has taken twice. */
export function checkChargeBacks(books: Books, seen: ChargeBacksSeen): Finding[] {
  const paid = books.done('charge-in').map((entry) => {
    const { cents, fate, user } = entry.effect;
    const reference_id = textOf(answerOf(entry), 'data.reference_id');
    const refunded = refundedOf(books, reference_id);
    return { key: entry.operation.key, user, cents, fate, reference_id, refunded };
  });
  const expected = paid.flatMap((one) => {
    const { key, user, cents, fate } = one;
    const fee = cardFeeOf(cents);
    const payment = `card:${one.reference_id}`;
    // Of a fee that is returned in parts the platform keeps a started unit.
    const back = (units: bigint) => (fee * units) / cents - units;
    const moves = [
      moveName('card-top-up', cents - fee),
      ...one.refunded.map((units) => moveName('card-refund', back(units))),
      ...(fate === 'charged' ? [takenName(payment, back(cents - sum(one.refunded)))] : []),
    ];
    return moves.map((name) => ({ key, user, name }));
  });
  const twice = paid
    .filter(({ fate, refunded }) => fate === 'charged' && refunded.length > 0)
    .map(({ key, reference_id, refunded }): Expected => {
      return { key, name: twiceName(`card:${reference_id}`, sum(refunded)) };
    });
  return [
    ...seen.moves.flatMap(({ user, names }) =>
      match(
        `charged-back wallet of user ${user}`,
        expected.filter((one) => one.user === user),
        names,
      ),
    ),
    ...match('taken back twice', twice, seen.twice),
  ];
}

const refundedOf = (books: Books, reference_id: string): bigint[] =>
  books
    .done('charge-refund')
    .filter(({ effect }) => effect.reference_id === reference_id)
    .map(({ effect }) => effect.cents);

const sum = (units: readonly bigint[]): bigint => units.reduce((all, one) => all + one, 0n);
