import { type Db, run } from '../db/db.ts';
import { transact } from '../transact.ts';

/** An object that has money set aside under a name. */
export interface HeldObject {
  /** The name of the hold. */
  readonly hold: string;
  readonly account_id: number;
  /** By which callers know the object. */
  readonly reference: string;
  /** Whether it still needs the money. */
  readonly is_open: boolean;
  /** When the service looks at it next; null where that is known only once something comes from outside. */
  readonly next_attempt_at: string | null;
  /** When it frees the money by itself, where it does. */
  readonly until: string | null;
}

/** Which objects the money is set aside for that postings of one kind hold. A feature declares it. */
export interface HoldOwner {
  /** Of the posting that sets it aside. */
  readonly kind: string;
  /** What frees it: a sentence for people. */
  readonly freedBy: string;
  /** The objects of these names, ended ones too. An open one keeps the hold until the transaction that ends it. */
  find(db: Db, holds: readonly string[]): Promise<readonly HeldObject[]>;
}

/** Money that is set aside in an account. */
export interface NamedHold {
  readonly account_id: number;
  readonly hold: string;
  readonly kind: string;
}

/** With what frees it, as the feature says that has found it: several features may set money aside by one kind. */
type Holder = HeldObject & Pick<HoldOwner, 'freedBy'>;

/** Of each hold the objects that hold it, by account and name; none where no feature knows one. */
export async function holdersOf(
  db: Db,
  owners: readonly HoldOwner[],
  holds: readonly NamedHold[],
): Promise<ReadonlyMap<string, readonly Holder[]>> {
  const found = new Map<string, Holder[]>();
  for (const owner of owners) {
    const names = holds.filter(({ kind }) => kind === owner.kind).map(({ hold }) => hold);
    const objects = names.length === 0 ? [] : await owner.find(db, names);
    for (const one of objects) {
      const key = placeOf(one);
      const { freedBy } = owner;
      found.set(key, [...(found.get(key) ?? []), { ...one, freedBy }]);
    }
  }
  return found;
}

/** Names a hold among those of all accounts. */
export const placeOf = ({ account_id, hold }: Pick<NamedHold, 'account_id' | 'hold'>): string =>
  `${account_id} ${hold}`;

const AT_ONCE = 1000;
const SHOWN = 5;

/** Holds without exactly one open object that holds them: the first of them, in words. Everything of one moment. */
export function orphanHolds(db: Db, owners: readonly HoldOwner[]): Promise<string[]> {
  if (db.isTransaction) return orphansWithin(db, owners);
  return transact(db, async (tx) => {
    await run(tx, 'set transaction isolation level repeatable read', []);
    return orphansWithin(tx, owners);
  });
}

async function orphansWithin(tx: Db, owners: readonly HoldOwner[]): Promise<string[]> {
  const orphans: string[] = [];
  for (let last: NamedHold | undefined; orphans.length < SHOWN; ) {
    const page = await openHolds(tx, last);
    last = page.at(-1);
    const holders = await holdersOf(tx, owners, page);
    for (const one of page) {
      const open = (holders.get(placeOf(one)) ?? []).filter(({ is_open }) => is_open);
      if (open.length !== 1)
        orphans.push(`account ${one.account_id}: ${one.hold} has ${open.length} open owners`);
    }
    if (page.length < AT_ONCE) break;
  }
  return orphans.slice(0, SHOWN);
}

const openHolds = (db: Db, after: NamedHold | undefined): Promise<NamedHold[]> =>
  run(
    db,
    `select account_id, hold, kind from ledger.holds
     where freed_seq is null and (account_id, hold) > ($1, $2) order by account_id, hold limit ${AT_ONCE}`,
    [after?.account_id ?? 0, after?.hold ?? ''],
  );
