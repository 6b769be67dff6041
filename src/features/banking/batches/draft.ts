import { findFiatWallet } from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { logActivity } from '#features/messaging/activity/activity.ts';
import { tenantScopeOf, userInScope } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail, wrongField } from '#kernel/error.ts';
import type { RequestFacts, UserCaller } from '#kernel/http/declare/route.ts';
import { newObjectUuid, objectId } from '#kernel/object-id.ts';
import { transact } from '#kernel/transact.ts';
import { contentHashOfBatch } from './content.ts';
import type { BatchDeps } from './deps.ts';
import { emitNewBatch } from './events.ts';
import { insertItems } from './items-store.ts';
import type { PayingWallet } from './payees.ts';
import { type ReadRows, readRows } from './read-rows.ts';
import { type Funding, findBatch, insertBatch, type PaymentBatch } from './store.ts';
import type { SentRow } from './typed-rows.ts';

/** Who does something to a batch. */
export interface BatchActor {
  readonly caller: UserCaller;
  readonly request: RequestFacts;
}

export interface DraftOrder extends BatchActor {
  /** A repetition of the request has the same. */
  readonly operation: string;
  readonly name: string;
  readonly source_wallet_id: number;
  readonly funding?: Funding | undefined;
  readonly execute_at?: string | undefined;
  readonly rows: readonly SentRow[];
}

/** Drafts a batch: nothing is held, and rows that cannot be paid are listed by their lines. */
export async function draftBatch(deps: BatchDeps, order: DraftOrder): Promise<PaymentBatch> {
  const { db, clock } = deps;
  const { caller, request, operation, name, funding = 'at_approval', execute_at = null } = order;
  const known = await findBatch(db, { operation });
  if (known) return known;
  requireTime(execute_at, clock.now());
  const from = await payingWallet(db, caller, order.source_wallet_id);
  const batch_id = newObjectUuid(clock.ms());
  const our_reference = objectId('bat', batch_id);
  const read = await readRows(deps, db, { from, batch: our_reference }, order.rows);
  const { wallet_id, account_id, currency, user_id, client_id } = from;
  const terms = { wallet_id, currency, funding, execute_at, fees: read.fees };
  const whose = { client_id, user_id, made_by: caller.user_id, account_id };
  return transact(db, async (tx) => {
    const content_hash = hashOfRows(terms, read);
    const sums = { item_count: read.items.length, total: read.total, errors: read.errors };
    const kept = { batch_id, our_reference, operation, name, content_hash };
    const row = await insertBatch(tx, { ...kept, ...whose, ...terms, ...sums });
    if (!row) throw fail('CONFLICT', 'The request is under way');
    await insertItems(tx, batch_id, read.items);
    emitNewBatch(tx, row);
    await recordBatch(tx, 'DRAFTED', row, { caller, request });
    return row;
  });
}

/** Of lines that are about to be written. */
export const hashOfRows = (
  terms: Parameters<typeof contentHashOfBatch>[0],
  { items }: Pick<ReadRows, 'items'>,
): string =>
  contentHashOfBatch(
    terms,
    items.map(({ line, fingerprint, amount, reference }) => ({
      line,
      fingerprint: fingerprint.toString('hex'),
      amount,
      currency: terms.currency,
      reference,
    })),
  );

/** A wallet of one's own; for an admin, of a user of the client. Throws WALLET_NOT_FOUND. */
export async function payingWallet(
  db: Db,
  caller: UserCaller,
  wallet_id: number,
): Promise<PayingWallet> {
  // An operator's admin spends no money of other clients.
  const { client_id } = caller;
  const scope = caller.operator ? { client_id } : tenantScopeOf(caller);
  const wallet = await findFiatWallet(db, scope, wallet_id);
  const owner = wallet && (await userInScope(db, { client_id }, wallet.user_id));
  if (!wallet || !owner) throw fail('WALLET_NOT_FOUND', 'Wallet not found');
  return { ...wallet, client_id };
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
