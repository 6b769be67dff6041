import { walletToPayFrom } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { edgeOfDay, zoneOfCountry } from '#kernel/calendar.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { transact } from '#kernel/transact.ts';
import { contentHashOfBatch } from './content.ts';
import type { BatchDeps } from './deps.ts';
import { emitNewBatch } from './events.ts';
import type { ImportedBatch } from './imports/imported.ts';
import { insertItems } from './items-store.ts';
import type { PayingWallet } from './payees.ts';
import { batchQuote, requireQuoted } from './quoted.ts';
import { type ReadRows, readRows } from './read-rows.ts';
import { type Funding, findBatch, insertBatch, type NewBatch, type PaymentBatch } from './store.ts';

/** Who does something to a batch. */
export interface BatchActor {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

export interface DraftOrder extends BatchActor, ImportedBatch {
  /** A repetition of the request has the same. */
  readonly operation: string;
  readonly funding?: Funding | undefined;
  /** The UUID. */
  readonly quote_id?: string | undefined;
  /** What it was made of. */
  readonly file_id?: string;
}

/** Drafts a batch: nothing is held, and rows that cannot be paid are listed by their lines. */
export async function draftBatch(deps: BatchDeps, order: DraftOrder): Promise<PaymentBatch> {
  const { db, clock } = deps;
  const { caller, operation, source_wallet_id, name, funding = 'at_approval' } = order;
  const known = await findBatch(db, { operation });
  if (known) return known;
  if (source_wallet_id === undefined) throw wrongField('source_wallet_id', 'is required');
  if (name === undefined) throw wrongField('name', 'is required');
  const from = await payingWallet(db, caller, source_wallet_id, {
    funding,
    quote_id: order.quote_id,
  });
  const execute_at = timeAsked(order, from, clock.now());
  const batch_id = newObjectUuid(clock.ms());
  const our_reference = objectId('bat', batch_id);
  const read = await readRows(deps, db, { from, batch: our_reference }, order.rows);
  const { wallet_id, account_id, currency, user_id, client_id } = from;
  const quote = quotedColumns(from, read);
  const { quote_id } = quote;
  const terms = { wallet_id, currency, funding, execute_at, fees: read.fees, quote_id };
  const whose = { client_id, user_id, made_by: caller.user_id, account_id };
  const sums = { item_count: read.items.length, total: read.total, errors: read.errors };
  const { file_id = null, import_key = null } = order;
  const content_hash = hashOfRows({ ...terms, pays: from.pays }, read);
  const kept = { batch_id, our_reference, operation, name, content_hash, file_id, import_key };
  return write(deps, order, { ...kept, ...whose, ...terms, ...sums, ...quote }, read);
}

async function write(
  deps: BatchDeps,
  { caller, request }: DraftOrder,
  batch: NewBatch,
  { items }: ReadRows,
): Promise<PaymentBatch> {
  return transact(deps.db, async (tx) => {
    if (
      batch.file_id !== null &&
      !(await deps.files.hold(tx, { user_id: caller.user_id }, batch.file_id))
    )
      throw fail('NOT_FOUND', 'File not found');
    const row = await insertBatch(tx, batch);
    if (!row) throw fail('CONFLICT', 'The request is under way');
    await insertItems(tx, batch.batch_id, items);
    emitNewBatch(tx, row);
    await recordBatch(tx, 'DRAFTED', row, { caller, request });
    return row;
  }).catch((error: unknown) => {
    throw (error as { constraint?: unknown }).constraint === 'batches_by_import'
      ? fail('REFERENCE_IN_USE', 'A message with this MsgId and PmtInfId was taken before')
      : error;
  });
}

/** A day begins in the time zone of the banks that are paid; one that is over means at once, as banks take it. */
function timeAsked(
  { execute_at, day }: DraftOrder,
  { pays: currency }: PayingWallet,
  now: Date,
): string | null {
  if (day === undefined) {
    requireTime(execute_at, now);
    return execute_at ?? null;
  }
  const at = edgeOfDay(day, zoneOfCountry(COUNTRIES[currency]), 'start');
  if (new Date(at) <= now) return null;
  requireTime(at, now);
  return at;
}

const COUNTRIES: Readonly<Record<PayingWallet['currency'], string>> = {
  IDR: 'ID',
  SGD: 'SG',
  AUD: 'AU',
  INR: 'IN',
  USD: 'US',
  VND: 'VN',
};

/** Of lines that are about to be written. */
export const hashOfRows = (
  {
    pays: currency,
    ...terms
  }: Parameters<typeof contentHashOfBatch>[0] & Pick<PayingWallet, 'pays'>,
  { items }: Pick<ReadRows, 'items'>,
): string =>
  contentHashOfBatch(
    terms,
    items.map(({ line, fingerprint, amount, received_amount, reference }) => ({
      line,
      fingerprint: fingerprint.toString('hex'),
      amount: received_amount ?? amount,
      currency,
      reference,
    })),
  );

/** What a batch keeps of its quote. Throws QUOTE_MISMATCH where that buys another sum than the payments come to. */
export function quotedColumns(
  { quote }: PayingWallet,
  { errors, received }: ReadRows,
): Pick<PaymentBatch, 'quote_id' | 'received_currency' | 'received_total'> {
  if (!quote || received === null)
    return { quote_id: null, received_currency: null, received_total: null };
  if (errors.length === 0) requireQuoted(quote, received);
  const { quote_id, currency: received_currency } = quote;
  return { quote_id, received_currency, received_total: received };
}

interface Terms {
  readonly funding: Funding;
  readonly quote_id?: string | null | undefined;
}

/**
 * A wallet of one's own; for an admin, of a user of the client. With what arrives. Throws WALLET_NOT_FOUND, and the
 * refusals of quotes.
 */
export async function payingWallet(
  db: Db,
  caller: UserCaller,
  wallet_id: number,
  { funding, quote_id }: Terms,
): Promise<PayingWallet> {
  const wallet = await walletToPayFrom(db, caller, wallet_id);
  const quote =
    quote_id === undefined || quote_id === null
      ? undefined
      : await batchQuote(db, wallet, { quote_id, funding });
  return { ...wallet, pays: quote?.currency ?? wallet.currency, quote };
}

const AHEAD_MAX_MS = 90 * 24 * 3_600_000;

/** Throws VALIDATION_ERROR for a time that is over, or too far ahead. */
export function requireTime(execute_at: string | null | undefined, now: Date): void {
  if (execute_at === undefined || execute_at === null) return;
  const ahead = new Date(execute_at).getTime() - now.getTime();
  if (ahead > AHEAD_MAX_MS) throw wrongField('execute_at', 'must be within 90 days');
  if (ahead < 0) throw wrongField('execute_at', 'must not be over already');
}

/** Writes a line of the audit log, without the payments. */
export const recordBatch = (
  tx: Db,
  action: 'DRAFTED' | 'CHANGED' | 'SUBMITTED' | 'CANCELLED' | 'RETRIED',
  row: PaymentBatch,
  { caller, request }: BatchActor,
): Promise<void> =>
  logActivity(tx, {
    action: `BATCH_${action}`,
    actor: caller,
    client_id: row.client_id,
    subject_user_id: row.user_id,
    details: { batch_id: row.our_reference, content_hash: row.content_hash },
    request,
  });
