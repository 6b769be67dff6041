import { type Db, run } from '../db/db.ts';
import { transact } from '../transact.ts';
import { balanceOf } from './accounts.ts';
import { isNotCovered } from './batch.ts';
import { type Leg, type Operation, transfer } from './ledger.ts';
import { postAllWithin, postWithin } from './post.ts';

/** Money that is taken from a wallet, whether it is there or not. */
export interface Taking {
  /** Without what the wallet pays. */
  readonly operation: Operation;
  readonly account: number;
  readonly user_id: number;
  /** The house's account that stands for what is owed. */
  readonly owedTo: number;
  /** More than zero. */
  readonly units: bigint;
}

/** What is posted together: an operation, or one whose wallet pays what it can and owes the rest. */
export type OperationOrTaking = Operation | Taking;
const isTaking = (one: OperationOrTaking): one is Taking => 'operation' in one;
const isPlain = (one: OperationOrTaking): one is Operation => !isTaking(one);

const TRIES = 5;

/**
 * Posts, and takes from the wallet what is free in it; the rest becomes a debt of its owner, named by the operation's
 * key. Last in its transaction. Answers what is owed.
 */
export async function takeOrOwe(tx: Db, taking: Taking): Promise<bigint> {
  const [owed = 0n] = await postOrOwe(tx, [taking]);
  return owed;
}

/**
 * Posts all of them in their order, each after those before it: what one sets free the next one can take. Answers what is
 * owed by each. A wallet that is spent from in the same moment is read again, and at last the whole becomes a debt.
 */
export async function postOrOwe(tx: Db, all: readonly OperationOrTaking[]): Promise<bigint[]> {
  if (!all.some(isTaking)) {
    await postAllWithin(tx, all.filter(isPlain));
    return all.map(() => 0n);
  }
  for (let attempt = 1; ; attempt += 1) {
    const { operations, owed } = await covered(tx, all, attempt < TRIES);
    // One refused operation of several leaves the others posted, and they have to be undone with it.
    if (all.length > 1) await run(tx, 'savepoint before_posting', []);
    try {
      await collecting(tx, () => postAllWithin(tx, operations));
      for (const [i, one] of all.entries()) if (isTaking(one)) await owe(tx, one, owed[i] ?? 0n);
      return owed;
    } catch (error) {
      if (!isNotCovered(error) || attempt >= TRIES) throw error;
      if (all.length > 1) await run(tx, 'rollback to savepoint before_posting', []);
    }
  }
}

/** The operations with what each wallet pays now, or nothing where it is not asked; and what each of them owes. */
async function covered(tx: Db, all: readonly OperationOrTaking[], isAsked: boolean) {
  const operations: Operation[] = [];
  const owed: bigint[] = [];
  for (const one of all) {
    const freed = isTaking(one) ? freedBy(operations, one.account) : 0n;
    const taken = isTaking(one) && isAsked ? await takeable(tx, one.account, one.units, freed) : 0n;
    operations.push(isTaking(one) ? withTaken(one, taken) : one);
    owed.push(isTaking(one) ? one.units - taken : 0n);
  }
  return { operations, owed };
}

/** How much more is free in an account after these operations. */
const freedBy = (operations: readonly Operation[], account: number): bigint =>
  operations
    .flatMap(({ legs }) => legs)
    .filter((leg) => leg.account === account)
    .reduce((sum, { amount, held = 0n }) => sum + amount - held, 0n);

function withTaken({ operation, account, owedTo, units }: Taking, taken: bigint): Operation {
  const owed = units - taken;
  const legs: Leg[] = [
    ...operation.legs,
    ...(taken > 0n ? [{ account, amount: -taken }] : []),
    ...(owed > 0n ? [{ account: owedTo, amount: -owed }] : []),
  ];
  return { ...operation, legs };
}

async function owe(
  tx: Db,
  { operation, account, owedTo, user_id }: Taking,
  owed: bigint,
): Promise<void> {
  if (owed > 0n)
    await run(
      tx,
      `insert into ledger.debts (debt, account_id, owed_to, user_id, owed) values ($1, $2, $3, $4, $5)`,
      [operation.key, account, owedTo, user_id, owed],
    );
}

/** What of an amount is in a wallet that is not frozen, and not held; the same posting sets `freed` free. */
async function takeable(tx: Db, account: number, units: bigint, freed = 0n): Promise<bigint> {
  const { posted, held, is_frozen } = await balanceOf(tx, account);
  const left = posted - held + freed;
  const free = is_frozen || left < 0n ? 0n : left;
  return free < units ? free : units;
}

/** Within, an account pays although it owes. A refused posting writes nothing, so the transaction goes on. */
async function collecting<T>(tx: Db, post: () => Promise<T>): Promise<T> {
  const mark = (value: string) =>
    run(tx, `select set_config('ledger.collects', $1, true)`, [value]);
  await mark('on');
  try {
    return await post();
  } finally {
    // Where the transaction has failed, the setting goes with it.
    await mark('').catch(() => undefined);
  }
}

/** Whether that person owes anything, in whichever wallet. */
export async function isInDebt(db: Db, user_id: number): Promise<boolean> {
  const text = 'select from ledger.debts where user_id = $1 and owed > 0 limit 1';
  return (await run(db, text, [user_id])).length > 0;
}

interface Debt {
  readonly debt: string;
  readonly account_id: number;
  readonly owed_to: number;
  readonly owed: bigint;
}

const AT_ONCE = 200;

/** Takes what is owed from the wallets that have something by now. Until then it cannot be spent. */
export async function collectDebts(db: Db, signal: AbortSignal): Promise<void> {
  for (let after = ''; !signal.aborted; ) {
    const owing = await run<Debt & { readonly has_money: boolean }>(
      db,
      `select d.*, a.posted > a.held and a.status = 'open' as has_money
       from ledger.debts d join ledger.accounts a using (account_id)
       where d.owed > 0 and debt > $1 order by debt limit ${AT_ONCE}`,
      [after],
    );
    for (const { debt, has_money } of owing) if (has_money) await collect(db, debt);
    after = owing.at(-1)?.debt ?? '';
    if (owing.length < AT_ONCE) return;
  }
}

async function collect(db: Db, debt: string): Promise<void> {
  try {
    await transact(db, async (tx) => {
      const text = 'select * from ledger.debts where debt = $1 and owed > 0 for no key update';
      const [row] = await run<Debt>(tx, text, [debt]);
      const taken = row ? await takeable(tx, row.account_id, row.owed) : 0n;
      if (!row || taken <= 0n) return;
      await collecting(tx, () =>
        postWithin(tx, {
          // What was owed before names it, since it only becomes less.
          key: `${debt}:debt:${row.owed}`,
          kind: 'debt-payment',
          legs: transfer(row.account_id, row.owed_to, taken),
        }),
      );
      await run(
        tx,
        'update ledger.debts set owed = owed - $2, updated_at = service_now() where debt = $1',
        [debt, taken],
      );
    });
  } catch (error) {
    // Spent or frozen in the same moment: the next run asks again.
    if (!isNotCovered(error)) throw error;
  }
}
