import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Db } from '#kernel/db/db.ts';
import { fail } from '#kernel/error.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { newObjectUuid } from '#kernel/object-id.ts';
import { namesReaderOf } from '#kernel/object-names/object-names.ts';
import { DAY_MS } from '#kernel/quota/quota.ts';
import type { Quota } from '#kernel/quota/quota-store.ts';
import { transact } from '#kernel/transact.ts';
import type { AskAgain } from './ask-again.ts';
import { type DetailDeps, readRecipientDetails } from './details.ts';
import { emitRecipient } from './events.ts';
import {
  duplicateOf,
  keptDetails,
  openRecipientDetails,
  type RecipientActor,
  recordRecipient,
} from './keep.ts';
import { newlyNamed, withNamesOfOne } from './recipient-names.ts';
import type { RailInput } from './requirements.ts';
import type { NamedRecipient } from './shapes.ts';
import {
  changeRecipient,
  countRecipients,
  findRecipient,
  findSameRecipient,
  hideRecipient,
  insertRecipient,
  lockRecipient,
  type PaidRecipient,
  type RecipientChange,
} from './store.ts';
import { type VerifyDeps, verifyPayeeOf } from './verify-payee.ts';

export interface RecipientDeps
  extends DetailDeps,
    VerifyDeps,
    Pick<Kernel, 'db' | 'vault' | 'jobs' | 'quotas'> {
  /** Whether a payment to it has not ended. */
  isInUse(tx: Db, recipient_id: string): Promise<boolean>;
}

type Deps = RecipientDeps & { readonly askAgain: AskAgain };

export interface AddedRecipient extends RailInput {
  readonly name: string;
  readonly email?: string | undefined;
  readonly details: object;
}

/** As many as a batch has payments. */
const RECIPIENTS_MAX = 10_000;
const COOL_DOWN_MS = DAY_MS;

const tooMany = () =>
  fail('LIMIT_EXCEEDED', `A user has at most ${RECIPIENTS_MAX} recipients`, {
    status: 409,
    hint: 'Delete recipients that are paid no more.',
  });

/** Adds a recipient of the caller's own, once its bank was asked. Throws DUPLICATE_RECIPIENT with the id of the same one. */
export async function addRecipient(
  deps: Deps,
  { name, email, ...input }: AddedRecipient,
  by: RecipientActor,
): Promise<NamedRecipient> {
  const { db, clock, vault } = deps;
  const { user_id, client_id } = by.caller;
  const read = await readRecipientDetails(deps, db, client_id, input);
  const recipient_id = newObjectUuid(clock.ms());
  const kept = keptDetails(vault, recipient_id, read);
  const { kind, country } = read.rail;
  const same = await findSameRecipient(db, { user_id, kind, ...kept });
  if (same) throw duplicateOf(same);
  if ((await countRecipients(db, user_id)) >= RECIPIENTS_MAX) throw tooMany();
  await spendAdding(deps, db, user_id);
  const checked = await verifyPayeeOf(deps, read.rail, { name, details: read.details });
  const whose = { recipient_id, client_id, user_id, kind, name, country };
  return transact(db, async (tx) => {
    const one = { ...whose, ...kept, ...checked, currency: read.currency, email: email ?? null };
    const row = await insertRecipient(tx, one);
    if (!row) throw duplicateOf(await findSameRecipient(tx, one));
    const shown = newlyNamed(row);
    emitRecipient(tx, 'created', shown);
    await recordRecipient(tx, 'ADDED', row, by);
    await deps.askAgain(tx, row);
    return shown;
  });
}

export interface RecipientPatch {
  readonly name?: string | undefined;
  readonly email?: string | null | undefined;
  readonly details?: object | undefined;
}

/** Changes a recipient. Another account is verified and can be paid after a day; another name is verified. */
export async function editRecipient(
  deps: Deps,
  before: PaidRecipient,
  { name = before.name, email = before.email, details: sent }: RecipientPatch,
  by: RecipientActor,
): Promise<NamedRecipient> {
  const { db, clock, vault } = deps;
  const { recipient_id, client_id, kind, country, currency } = before;
  const details = sent ?? openRecipientDetails(deps, before);
  const of = { kind, ...(country !== null && { country }), currency, details };
  const read = await readRecipientDetails(deps, db, client_id, of);
  const kept = keptDetails(vault, recipient_id, read);
  const isMoved = !kept.fingerprint.equals(before.fingerprint);
  const isRenamed = name !== before.name;
  if (isMoved || isRenamed) await spendAdding(deps, db, before.user_id);
  const checked =
    isMoved || isRenamed
      ? await verifyPayeeOf(deps, read.rail, { name, details: read.details })
      : {};
  const now = clock.now();
  const usable_from = new Date(now.getTime() + COOL_DOWN_MS).toISOString();
  const change: RecipientChange = {
    name,
    email,
    ...checked,
    ...(isMoved && { ...kept, changed_at: now.toISOString(), usable_from }),
  };
  return transact(db, async (tx) => {
    if (isMoved) await refuseSame(tx, { ...before, ...kept });
    const row = await changed(tx, before, change);
    const shown = await withNamesOfOne(tx, row, namesReaderOf(by.caller));
    emitRecipient(tx, 'changed', await withNamesOfOne(tx, row, row.client_id));
    await recordRecipient(tx, 'CHANGED', row, by);
    await deps.askAgain(tx, row);
    return shown;
  });
}

async function refuseSame(tx: Db, one: PaidRecipient): Promise<void> {
  const same = await findSameRecipient(tx, one);
  if (same && same.recipient_id !== one.recipient_id) throw duplicateOf(same);
}

/** Of the version that was read. */
async function changed(
  tx: Db,
  before: PaidRecipient,
  change: RecipientChange,
): Promise<PaidRecipient> {
  const row = await changeRecipient(tx, before, change);
  if (row) return row;
  const now = await findRecipient(tx, {}, before.recipient_id);
  if (!now) throw fail('NOT_FOUND', 'Recipient not found');
  throw fail('VERSION_CONFLICT', 'It has been changed since it was read', {
    details: { version: now.version },
  });
}

const CHECKS_A_DAY = 10;
const ADDED_A_DAY = 1000;

/** Asks the bank again how the name compares, ten times a day. */
export async function checkAgain(
  deps: Deps,
  before: PaidRecipient,
  by: RecipientActor,
): Promise<NamedRecipient> {
  const { db } = deps;
  if (before.kind !== 'bank') throw fail('RAIL_NOT_AVAILABLE', 'Only bank accounts are verified');
  await spendDaily(deps, db, {
    subject: `checks of recipient ${before.recipient_id}`,
    most: CHECKS_A_DAY,
  });
  const details = openRecipientDetails(deps, before);
  const checked = await verifyPayeeOf(deps, before, { name: before.name, details });
  return transact(db, async (tx) => {
    const row = await changed(tx, before, checked);
    emitRecipient(tx, 'verified', await withNamesOfOne(tx, row, row.client_id));
    await deps.askAgain(tx, row);
    return withNamesOfOne(tx, row, namesReaderOf(by.caller));
  });
}

/** Each addition and change asks a bank, which costs. */
const spendAdding = (deps: Deps, db: Db, user_id: number): Promise<void> =>
  spendDaily(deps, db, { subject: `recipients of user:${user_id}`, most: ADDED_A_DAY });

async function spendDaily(
  { quotas, clock }: Deps,
  db: Db,
  { subject, most }: Pick<Quota, 'subject' | 'most'>,
): Promise<void> {
  const quota = { subject, most, withinMs: DAY_MS };
  const usedUp = await transact(db, (tx) => quotas.take(tx, [quota]));
  if (!usedUp) return;
  const { retryAfter } = usedUp;
  const resets_at = new Date(clock.now().getTime() + retryAfter * 1000).toISOString();
  const message = `At most ${most} a day`;
  const details = { limit: String(most), resets_at };
  throw fail('LIMIT_EXCEEDED', message, { status: 429, retryAfter, details });
}

const inUse = () =>
  fail('INVALID_STATUS', 'A payment to it has not ended', {
    status: 409,
    details: { status: 'IN_USE', allowed: ['UNUSED'] },
    hint: 'Wait for its end, or cancel it.',
  });

/** Hides a recipient that no open payment goes to. In the caller's transaction. */
export async function removeRecipient(
  deps: Pick<RecipientDeps, 'isInUse'>,
  tx: Db,
  recipient_id: string,
  by: RecipientActor,
): Promise<NamedRecipient> {
  const before = await lockRecipient(tx, tenantScopeOf(by.caller), recipient_id);
  if (!before) throw fail('NOT_FOUND', 'Recipient not found');
  if (await deps.isInUse(tx, recipient_id)) throw inUse();
  const row = await hideRecipient(tx, recipient_id);
  if (!row) throw fail('NOT_FOUND', 'Recipient not found');
  emitRecipient(tx, 'deleted', await withNamesOfOne(tx, row, row.client_id));
  await recordRecipient(tx, 'DELETED', row, by);
  return withNamesOfOne(tx, row, namesReaderOf(by.caller));
}
