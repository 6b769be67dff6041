import { createHash } from 'node:crypto';
import { type RecipientFacts, recipientFacts } from '#features/banking/recipients/recipients.ts';
import type { Db } from '#kernel/db/db.ts';
import { canonicalJson } from '#kernel/http/answer/canonical.ts';
import { type HashedLine, hashedLines } from './items-store.ts';
import type { PaymentBatch } from './store.ts';

/** What is hashed of a line. */
export interface ContentLine {
  readonly line: number;
  /** In hexadecimal digits; null where the recipient was deleted. */
  readonly fingerprint: string | null;
  readonly amount: bigint;
  readonly currency: string;
  readonly reference: string;
}

type Terms = Pick<
  PaymentBatch,
  'wallet_id' | 'currency' | 'funding' | 'execute_at' | 'fees' | 'quote_id'
>;

/** SHA-256 over the canonical lines and terms of a batch: what people submit and approve. */
export function contentHashOfBatch(terms: Terms, lines: readonly ContentLine[]): string {
  const { wallet_id, currency, funding, execute_at, fees, quote_id } = terms;
  const hash = createHash('sha256');
  const quote = quote_id === null ? {} : { quote_id };
  const kept = { wallet_id, currency, funding, execute_at, fees: fees.toString(), ...quote };
  hash.update(`${canonicalJson(kept)}\n`);
  for (const { line, fingerprint, amount, currency: of, reference } of lines)
    hash.update(`${canonicalJson([line, fingerprint, amount.toString(), of, reference])}\n`);
  return hash.digest('hex');
}

/** What was written of each line. */
export const writtenLines = (lines: readonly HashedLine[]): ContentLine[] =>
  lines.map((line) => arrivingLine(line, line.fingerprint));

/** A line by what arrives, at that account. */
function arrivingLine(
  { line, reference, amount, currency, received_amount, received_currency }: HashedLine,
  fingerprint: Buffer | undefined,
): ContentLine {
  return {
    line,
    reference,
    fingerprint: fingerprint?.toString('hex') ?? null,
    amount: received_amount ?? amount,
    currency: received_currency ?? currency,
  };
}

/** Its lines, and what the recipients of these are now. */
export interface KnownContent {
  readonly lines: readonly HashedLine[];
  readonly recipients: ReadonlyMap<string, RecipientFacts>;
}

export async function contentOf(
  db: Db,
  { batch_id }: Pick<PaymentBatch, 'batch_id'>,
): Promise<KnownContent> {
  const lines = await hashedLines(db, batch_id);
  const ids = lines.flatMap(({ recipient_id }) => recipient_id ?? []);
  return { lines, recipients: await recipientFacts(db, [...new Set(ids)]) };
}

/** The hash with the accounts that the recipients have now: another one where one was changed or deleted. */
export const currentHashOf = (batch: PaymentBatch, { lines, recipients }: KnownContent): string =>
  contentHashOfBatch(
    batch,
    lines.map((line) => {
      const { recipient_id: id, fingerprint } = line;
      return arrivingLine(line, id === null ? fingerprint : recipients.get(id)?.fingerprint);
    }),
  );

/** What the recipients of a batch are like: the worst and the newest of them. */
export interface RecipientsAtLarge {
  readonly verification: string | undefined;
  readonly is_new: boolean;
  readonly changed_at: Date | undefined;
  readonly usable_from: Date | undefined;
}

const WORST_FIRST = ['NO_MATCH', 'NOT_POSSIBLE', 'CLOSE_MATCH', 'MATCH'] as const;

export function recipientsAtLarge({ lines, recipients }: KnownContent): RecipientsAtLarge {
  const all = [...recipients.values()];
  const last = (of: 'changed_at' | 'usable_from') =>
    all.length === 0 ? undefined : new Date(Math.max(...all.map((one) => Date.parse(one[of]))));
  return {
    verification: WORST_FIRST.find((word) => all.some(({ result }) => result === word)),
    is_new:
      all.some(({ last_paid_at }) => last_paid_at === null) ||
      lines.some(({ recipient_id }) => recipient_id === null),
    changed_at: last('changed_at'),
    usable_from: last('usable_from'),
  };
}
