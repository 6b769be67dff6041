import { run } from '#kernel/db/db.ts';
import { fieldOf, numberOf, textOf } from '../clients/answer.ts';
import { answerOf, type Books } from '../clients/books.ts';
import { mintedOf } from '../clients/play-late-payment.ts';
import type { Finding } from './findings.ts';
import { type Expected, match } from './match.ts';
import type { World } from './world.ts';

/** Purchases not paid as ordered: the gateway's payments, their bookings, and their outcome. */
export interface LatePaymentsSeen {
  /** Such as `64001 for MINT-1-2`, by the gateway's own list. */
  readonly came: readonly string[];
  /** The same by our books: the purchase's payment, and unmatched ones. */
  readonly booked: readonly string[];
  /** The operator's actions, such as `refund of payment 4`. */
  readonly ended: readonly string[];
}

export async function readLatePayments({ db, books }: World): Promise<LatePaymentsSeen> {
  const references = books.done('late-payment').map(referenceOf);
  const read = async (text: string) => {
    const rows = await run<{ name: string }>(db, text, [references]);
    return rows.map(({ name }) => name);
  };
  const [came, booked, ended] = await Promise.all([read(CAME), read(BOOKED), read(ENDED)]);
  return { came, booked, ended };
}

const referenceOf = (entry: Parameters<typeof answerOf>[0]): string =>
  textOf(answerOf(entry), 'data.referenceId');

const CAME = `
  select (data ->> 'amount') || ' for ' || (data ->> 'reference_id') as name from sandbox.records
  where provider = 'gateway' and kind = 'transaction' and data ->> 'type' = 'PAYMENT'
    and data ->> 'reference_id' = any ($1::text[])`;
const BOOKED = `
  select (paid_amount_idr / 100)::bigint || ' for ' || reference_id as name from idr_mints
  where paid_receipt is not null and given_payment_id is null and paid_at is not null
    and reference_id = any ($1::text[])
  union all
  select (u.units / 100)::bigint || ' for ' || m.reference_id from idr_unmatched_payments u
  join idr_mints m using (mint_id) where m.reference_id = any ($1::text[])`;
const ENDED = `
  select act || ' of payment ' || payment_id as name from (
    select u.*, unnest(array_remove(array[
      case when assigned_mint_id is not null then 'assign' end,
      case when refund = 'OWED' then 'nothing' end,
      case when refund = 'SENT' and settled_note is null then 'refund' end,
      case when refund = 'SENT' and settled_note is not null then 'mark-refunded' end], null)) as act
    from idr_unmatched_payments u) u
  join idr_mints m using (mint_id) where m.reference_id = any ($1::text[])`;

/** Every payment is booked once, the operator settles each unmatched one, and nothing else happens to it. */
export const checkLatePayments = (books: Books, seen: LatePaymentsSeen): Finding[] => [
  ...match(
    'late payments',
    seen.came.map((name): Expected => ({ name, key: '' })),
    seen.booked,
  ),
  ...match(
    'ends of late payments',
    books.done('late-act').map(({ operation: { key }, effect: { act, payment_id } }) => {
      return { key, name: `${act} of payment ${payment_id}` };
    }),
    seen.ended,
  ),
];

/** The outcome of such a purchase in its owner's view, and its minted tokens. */
export const latePurchases = (books: Books) =>
  books.done('late-payment').map((entry) => {
    const { user, rupiah, to, how } = entry.effect;
    const reference = referenceOf(entry);
    const isAssigned = books
      .done('late-act')
      .some(({ effect }) => effect.reference === reference && effect.act === 'assign');
    const isMinted = how === 'twice' || isAssigned;
    const minted = { to, isMinted, rupiah: isMinted ? mintedOf({ how, rupiah }) : rupiah };
    return { key: entry.operation.key, user, reference, ...minted };
  });

const acts = (books: Books) => books.done('late-act');

/** Refunds to wallets in rupiah, by the answers. */
export const lateRefunds = (books: Books, user: number): bigint =>
  acts(books)
    .filter(({ effect }) => effect.user === user && effect.act === 'refund')
    .reduce((sum, entry) => sum + refundedOf(books, entry), 0n);

/** The whole payment, or its excess over the price if it pays the purchase. */
function refundedOf(books: Books, entry: ReturnType<typeof acts>[number]): bigint {
  const answer = answerOf(entry);
  const isAssigned = fieldOf(answer, 'data.assigned_mint_id') !== null;
  const purchase = books
    .done('late-payment')
    .find((one) => referenceOf(one) === entry.effect.reference);
  const price = isAssigned && purchase ? numberOf(answerOf(purchase), 'data.totalAmount') : 0;
  return BigInt(numberOf(answer, 'data.amount_idr') - price) * 100n;
}
