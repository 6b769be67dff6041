import { createHash } from 'node:crypto';
import type { Clock } from '#kernel/clock.ts';
import type { Records } from '#sandbox/records.ts';
import { apply, type Tx } from './apply.ts';
import { checkXrplTransaction, hashOf, malformed, type SimulatedXrplCheck } from './check.ts';
import { conditionsOf, reservesOf } from './conditions.ts';
import { simulatedXrplMetaOf } from './meta.ts';
import { openView, readSimulatedXrplAccount, SIMULATED_XRPL_PROVIDER, type View } from './state.ts';

/** The account that has all coins at first, of whose seed everybody knows (rippled's stand-alone mode). */
export const GENESIS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';
const ALL_DROPS = 100_000_000_000n * 1_000_000n;
/** As often as the real one closes a ledger; here they close between two requests. */
const CLOSE_MS = 4_000;
/** What comes within this time comes into one ledger. */
const OPEN_MS = 1_000;
const FIRST_INDEX = 1_000;
/** The least that any transaction pays, however empty the ledger is. */
const LEAST_FEE = 10;
/** Seconds between 1970 and the ledger's own beginning of time. */
const EPOCH_S = 946_684_800;

export interface SimulatedXrplHead {
  readonly index: number;
  readonly closed_ms: number;
  readonly hash: string;
  /** Of transactions in it. */
  readonly size: number;
}

/** A transaction in a ledger. */
export interface Applied {
  readonly hash: string;
  readonly ledger_index: number;
  readonly ledger_hash: string;
  readonly date: number;
  readonly close_time_iso: string;
  readonly accounts: readonly string[];
  readonly tx_json: object;
  readonly meta: object;
}

export type Submission =
  | { readonly invalid: string }
  | { readonly code: string; readonly hash: string; readonly tx: Tx; readonly applied?: Applied };

export interface Ledger {
  readonly records: Records;
  /** The latest closed ledger: one more for every few seconds in which nothing happened. */
  head(): Promise<SimulatedXrplHead>;
  /** Applies it to a ledger of its own, which closes at once; or only at `lateMs` from now. */
  submit(blob: string, lateMs?: number): Promise<Submission>;
  /** What was late, and what of it has come into a ledger now. */
  catchUp(): Promise<Applied[]>;
  find(hash: string): Promise<Applied | undefined>;
  /** Changes what no transaction changes: the sandbox's own doing for somebody. */
  alter(work: (view: View) => Promise<void>): Promise<void>;
  /** Closes one, as the stand-alone server does when told. */
  accept(): Promise<SimulatedXrplHead>;
}

type Proven = Exclude<SimulatedXrplCheck, { invalid: string }>;

interface Late {
  readonly blob: string;
  readonly at_ms: number;
  readonly done: boolean;
  /** In drops, where it waits for the ledger to become cheaper. */
  readonly fee?: number;
}

/** The ledger over the sandbox's records: what was answered is there after a crash. */
export function openLedger(records: Records, clock: Clock): Ledger {
  const nowMs = () => clock.now().getTime();
  let mayBeLate = true;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: those who wait hold no connection to the database. */
  function inTurn<T>(work: (own: Records) => Promise<T>): Promise<T> {
    const mine = last.then(() =>
      records.exclusively(SIMULATED_XRPL_PROVIDER, 'head', 'head', work),
    );
    last = mine.catch(() => undefined);
    return mine;
  }

  const submit = (checked: Proven): Promise<Submission> =>
    inTurn((own) => include(own, checked, nowMs()));

  return {
    records,
    head: () => headOf(records, nowMs()),
    find: (hash) => records.get<Applied>(SIMULATED_XRPL_PROVIDER, 'tx', hash),
    async submit(blob, lateMs) {
      const known = await records.get<Applied>(SIMULATED_XRPL_PROVIDER, 'tx', hashOf(blob));
      if (known) return { code: 'tefALREADY', hash: known.hash, tx: known.tx_json as Tx };
      const checked = await checkXrplTransaction(blob);
      if ('invalid' in checked) return checked;
      const fee = Number(checked.tx.Fee);
      const { open_ledger_fee, has_queue } = await conditionsOf(records);
      const isCheap = fee >= LEAST_FEE && fee < open_ledger_fee;
      if (isCheap && !has_queue)
        return { code: 'telCAN_NOT_QUEUE_FULL', hash: checked.hash, tx: checked.tx };
      if (lateMs === undefined && !isCheap) return submit(checked);
      mayBeLate = true;
      const late: Late = { blob, at_ms: nowMs() + (lateMs ?? 0), done: false, fee };
      await records.insert(SIMULATED_XRPL_PROVIDER, 'late', checked.hash, late);
      return { code: isCheap ? 'terQUEUED' : 'tesSUCCESS', hash: checked.hash, tx: checked.tx };
    },
    async catchUp() {
      if (!mayBeLate) return [];
      const all = await records.list<Late>(SIMULATED_XRPL_PROVIDER, 'late', {
        where: { done: false },
      });
      mayBeLate = all.length > 0;
      const { open_ledger_fee } = await conditionsOf(records);
      const isDue = ({ at_ms, fee = open_ledger_fee }: Late) =>
        at_ms <= nowMs() && fee >= open_ledger_fee;
      return applyLate(records, all.filter(isDue).reverse(), submit);
    },
    alter: (work) => inTurn((own) => alterWith(own, work)),
    accept: () => inTurn((own) => acceptNext(own, nowMs())),
  };
}

async function alterWith(own: Records, work: (view: View) => Promise<void>): Promise<void> {
  const view = openView(own);
  await work(view);
  await view.write();
}

async function acceptNext(own: Records, now: number): Promise<SimulatedXrplHead> {
  const { index, hash } = await headOf(own, now);
  return close(own, { index: index + 1, closed_ms: now, hash: digest(hash), size: 0 });
}

async function applyLate(
  records: Records,
  due: readonly Late[],
  submit: (checked: Proven) => Promise<Submission>,
): Promise<Applied[]> {
  const applied: Applied[] = [];
  for (const { blob } of due) {
    const checked = await checkXrplTransaction(blob);
    if ('invalid' in checked) continue;
    const done = await submit(checked);
    if (!('invalid' in done) && done.applied) applied.push(done.applied);
    await records.update<Late>(SIMULATED_XRPL_PROVIDER, 'late', checked.hash, (l) => ({
      ...l,
      done: true,
    }));
  }
  return applied;
}

async function headOf(records: Records, now: number): Promise<SimulatedXrplHead> {
  const kept = await records.get<SimulatedXrplHead>(SIMULATED_XRPL_PROVIDER, 'head', 'head');
  if (!kept) return { index: FIRST_INDEX, closed_ms: now, hash: digest('genesis'), size: 0 };
  const more = Math.max(Math.floor((now - kept.closed_ms) / CLOSE_MS), 0);
  if (more === 0) return kept;
  const closed_ms = kept.closed_ms + more * CLOSE_MS;
  return { index: kept.index + more, closed_ms, hash: digest(`${kept.hash}:${more}`), size: 0 };
}

/** The one of that number, or of that hash; nothing where it is not closed yet, or not known. */
export async function ledgerAt(
  ledger: Pick<Ledger, 'records' | 'head'>,
  wanted: number,
): Promise<(SimulatedXrplHead & { readonly transactions: readonly Applied[] }) | undefined> {
  const head = await ledger.head();
  if (wanted > head.index || wanted < 1) return undefined;
  const transactions = await ledger.records.list<Applied>(SIMULATED_XRPL_PROVIDER, 'tx', {
    where: { ledger_index: wanted },
  });
  if (wanted === head.index) return { ...head, transactions };
  const [within] = transactions;
  const closed_ms = within
    ? Date.parse(within.close_time_iso)
    : head.closed_ms - (head.index - wanted) * CLOSE_MS;
  const hash = within?.ledger_hash ?? digest(`empty ${wanted}`);
  return { index: wanted, closed_ms, hash, size: transactions.length, transactions };
}

async function close(records: Records, head: SimulatedXrplHead): Promise<SimulatedXrplHead> {
  if (await records.insert(SIMULATED_XRPL_PROVIDER, 'head', 'head', head)) return head;
  await records.update<SimulatedXrplHead>(SIMULATED_XRPL_PROVIDER, 'head', 'head', () => head);
  return head;
}

/** Half a SHA-512, as the ledger's own hashes are; not of its trees, which nobody here has. */
const digest = (text: string): string =>
  createHash('sha512').update(text).digest('hex').slice(0, 64).toUpperCase();

/** The ledger that a transaction comes into now: the latest, while it takes more, or the next one. */
function ledgerFor(head: SimulatedXrplHead, hash: string, now: number): SimulatedXrplHead {
  const isOpen = head.size > 0 && now - head.closed_ms < OPEN_MS;
  const mixed = digest(`${head.hash}:${hash}`);
  return isOpen
    ? { ...head, hash: mixed, size: head.size + 1 }
    : { index: head.index + 1, closed_ms: now, hash: mixed, size: 1 };
}

/** A ledger with this transaction in it; or none, and why. */
async function include(
  own: Records,
  { tx, hash, signer }: Proven,
  now: number,
): Promise<Submission> {
  if (await own.get(SIMULATED_XRPL_PROVIDER, 'tx', hash)) return { code: 'tefALREADY', hash, tx };
  const head = await headOf(own, now);
  const closed = ledgerFor(head, hash, now);
  const { index } = closed;
  const view = openView(own, await reservesOf(own));
  await seedGenesis(view);
  const refusal = malformed(tx) ?? (await unclaimed(view, { tx, signer, index }));
  if (refusal !== undefined) return { code: refusal, hash, tx };
  const payer = await view.account(tx.Account);
  if (!payer) throw new Error('An account that was there is gone');
  view.putAccount({ ...payer, drops: payer.drops - BigInt(tx.Fee), sequence: tx.Sequence + 1 });
  const code = await apply(view, tx, index);
  const meta = await simulatedXrplMetaOf(view, tx, code, closed.size - 1);
  const applied = appliedAs({ tx, hash, meta, closed });
  await view.write();
  await own.insert(SIMULATED_XRPL_PROVIDER, 'tx', hash, applied);
  await close(own, closed);
  return { code, hash, tx, applied };
}

const FIRST_ACCOUNT = { address: GENESIS, drops: ALL_DROPS, sequence: 1, flags: 0, owned: 0 };

/** Genesis is there before any transaction is. */
export const knownAccount = async (records: Records, address: string) =>
  (await readSimulatedXrplAccount(records, address)) ??
  (address === GENESIS ? FIRST_ACCOUNT : undefined);

async function seedGenesis(view: View): Promise<void> {
  if (await view.account(GENESIS)) return;
  view.putAccount(FIRST_ACCOUNT);
}

/** Why no ledger takes it from this account now. */
async function unclaimed(
  view: View,
  { tx, signer, index }: { readonly tx: Tx; readonly signer: string; readonly index: number },
): Promise<string | undefined> {
  const account = await view.account(tx.Account);
  if (account === undefined) return 'terNO_ACCOUNT';
  if (signer !== tx.Account) return 'tefBAD_AUTH';
  if (tx.Sequence < account.sequence) return 'tefPAST_SEQ';
  if (tx.Sequence > account.sequence) return 'terPRE_SEQ';
  if (tx.LastLedgerSequence !== undefined && tx.LastLedgerSequence < index) return 'tefMAX_LEDGER';
  return account.drops < BigInt(tx.Fee) ? 'terINSUF_FEE_B' : undefined;
}

function appliedAs(given: {
  readonly tx: Tx;
  readonly hash: string;
  readonly meta: object;
  readonly closed: SimulatedXrplHead;
}): Applied {
  const { tx, hash, meta, closed } = given;
  const { Amount, ...rest } = tx;
  const peers = [tx.Account, tx.Destination, tx.LimitAmount?.issuer];
  const issuer = typeof Amount === 'object' ? Amount.issuer : undefined;
  return {
    hash,
    ledger_index: closed.index,
    ledger_hash: closed.hash,
    date: Math.floor(closed.closed_ms / 1000) - EPOCH_S,
    close_time_iso: new Date(closed.closed_ms).toISOString().replace(/\.\d+Z$/, 'Z'),
    accounts: [...new Set([...peers, issuer].flatMap((peer) => peer ?? []))],
    tx_json: { ...rest, ...(Amount !== undefined && { DeliverMax: Amount }) },
    meta,
  };
}
