import { type GivenNames, referenceInUse } from '../caller-names.ts';
import type { Cause } from '../cause.ts';
import { columnsOf, unnested } from '../db/columns.ts';
import { type Db, run } from '../db/db.ts';
import { sqlState } from '../db/sql-errors.ts';
import type { Statement } from '../db/statement-names.ts';

/** An object, as its events name it, and the names that its caller has given. */
export interface NamedObject {
  readonly given: GivenNames;
  readonly object_type: string;
  readonly object_id: string;
  /** Whose names they are. */
  readonly client_id: number;
  readonly user_id: number | null;
  readonly operation: string | null;
}

interface NamelessObject {
  /** The name of its event. */
  readonly event: string;
  readonly type: string;
  readonly id: string;
  readonly client_id: number;
  readonly user_id: number | null;
}

/** Gives an object the names of the request that makes it: the first one of the type that the request declares. */
export function nameObject(
  named: NamedObject[],
  { names: given, operation }: Cause,
  { event, type, id, client_id, user_id }: NamelessObject,
): void {
  if (given === undefined || given.object !== type || given.kept !== undefined) return;
  if (given.event !== undefined && given.event !== event) return;
  if (named.some((one) => one.given === given)) return;
  named.push({
    given,
    object_type: type,
    object_id: id,
    client_id: given.by.client_id ?? client_id,
    user_id: user_id ?? given.by.user_id,
    operation,
  });
}

/** An event, as far as names ask. */
interface ObjectEvent {
  readonly type: string;
  readonly object_type: string;
  readonly object_id: string;
}

const NAMES = {
  object_type: 'text',
  object_id: 'text',
  client_id: 'integer',
  user_id: 'integer',
  kind: 'text',
  reference: 'text',
  metadata: 'json',
  operation: 'text',
} as const;
const COLUMNS = Object.keys(NAMES).join();

/**
 * In one order, so that two transactions with the same references wait for one another in turn. An object that has its
 * names keeps them: a repetition of a request after a crash emits it again.
 */
const INSERT = `insert into caller_names (${COLUMNS}, created_at)
  select ${COLUMNS}, (select at from service_time) from ${unnested(NAMES)} order by kind, reference
  on conflict on constraint caller_names_pkey do nothing`;

/** What writes names in the last statement of a transaction; nothing where none were given. */
export function namesWriting(named: readonly NamedObject[]): readonly Statement[] {
  const isMoved = ({ given }: NamedObject) => given.takenFrom !== undefined;
  const rows = named
    .filter((one) => !isMoved(one))
    .map(({ given: { kind, reference, metadata }, ...object }) => ({
      ...object,
      kind,
      reference,
      metadata: JSON.stringify(metadata),
    }));
  const moves = named.filter(isMoved).map(({ given, object_type, object_id, client_id }) => ({
    text: MOVE,
    values: [object_type, given.takenFrom, object_id, client_id, given.reference],
  }));
  if (rows.length === 0) return moves;
  return [{ text: INSERT, values: columnsOf(NAMES, rows) }, ...moves];
}

const MOVE = `update caller_names set object_id = $3
  where object_type = $1 and object_id = $2 and client_id = $4 and reference = $5`;

const FORGET = `update caller_names set metadata = '{}', version = version + 1
  where object_type = $1 and object_id = any($2::text[]) and metadata <> '{}'`;

/** What empties the metadata of objects that are deleted: it goes with them. Their references stay in use. */
export function forgetting(events: readonly ObjectEvent[]): readonly Statement[] {
  const gone = events.filter(({ type }) => type.endsWith('.deleted'));
  if (gone.length === 0) return [];
  return [...Map.groupBy(gone, ({ object_type }) => object_type)].map(([type, all]) => ({
    text: FORGET,
    values: [type, [...new Set(all.map(({ object_id }) => object_id))]],
  }));
}

/** Notes which objects have their names now. */
export function keepNames(named: readonly NamedObject[]): void {
  for (const { given, object_id } of named) given.kept = object_id;
}

/** A transaction whose references were not all free. Its text has no names. */
class ReferenceConflict extends Error {
  readonly named: readonly NamedObject[];
  /** The object that has the reference. */
  taken: Taken | undefined;
  constructor(named: readonly NamedObject[]) {
    super('A reference is in use');
    this.named = named;
  }
}

/** What a transaction with these names fails with. */
export function conflictOf(error: unknown, named: readonly NamedObject[]): unknown {
  const isConflict =
    sqlState(error) === '23505' &&
    (error as { constraint?: string }).constraint === 'caller_names_reference';
  return isConflict ? new ReferenceConflict(named) : error;
}

/**
 * Whether the transaction is to be done again, with the names of an earlier object of the same operation: a provider did
 * not take that one, so that its caller was asked to repeat the request.
 */
export async function takesNamesOver(db: Db, error: unknown): Promise<boolean> {
  if (!(error instanceof ReferenceConflict)) return false;
  const [one, ...others] = error.named;
  // Of a batch each is done by itself then.
  if (one === undefined || others.length > 0 || one.given.takenFrom !== undefined) return false;
  const { kind, reference } = one.given;
  const [taken] = await run<Taken>(db, TAKEN, [one.client_id, kind, reference, one.operation]);
  error.taken = taken;
  if (!taken?.is_repeated) return false;
  one.given.takenFrom = taken.object_id;
  return true;
}

/** The error for its caller: REFERENCE_IN_USE with the id of the thing where the caller may see it. */
export function conflictShown(error: unknown): unknown {
  if (!(error instanceof ReferenceConflict)) return error;
  const { named, taken } = error;
  const by = named[0]?.given.by;
  return referenceInUse(taken && by && isSeen(by, taken) ? taken.object_id : undefined);
}

type Taken = Pick<NamedObject, 'object_id' | 'user_id'> & { readonly is_repeated: boolean };

const TAKEN = `select object_id, user_id, coalesce(operation = $4, false) as is_repeated
  from caller_names where client_id = $1 and kind = $2 and reference = $3`;

const isSeen = ({ sees, user_id }: GivenNames['by'], taken: Taken): boolean =>
  sees === 'all' || (sees === 'own' && user_id !== null && taken.user_id === user_id);
