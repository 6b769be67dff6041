import { type PayoutTotals, payoutTotals } from '#features/fiat/payouts/payouts.ts';
import { fail } from '#kernel/error.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { conversionAccounts } from './accounts.ts';
import type { ConversionDeps } from './deps.ts';
import { sumOfRupiah } from './presenters.ts';
import { insertReconciliation, type Reconciliation } from './reconciliation-store.ts';
import { mustTell } from './told.ts';
import { type LookUpResult, lookCloser, NONE, paidLately } from './under-way.ts';

/** What the ledger says that the gateway holds for us, what it was asked to pay out, and what it was paid. */
interface Books extends PayoutTotals {
  readonly held: bigint;
  /** Of what the gateway's statement has, and we have not booked. */
  readonly unheard: bigint;
}

/** What both sides said at one moment: the books of before and after the gateway was asked. */
interface Look {
  readonly told: bigint;
  readonly books: readonly [Books, Books];
}

/** Without a closer look, with one of the last hour, and with two of a day: payments go on meanwhile. */
const TRIES = 4;

/**
 * Holds the ledger against the gateway, before money is sent away, and keeps what came out. The gateway
 * has less by what it has set aside for pay-outs, which is a sum that is kept. What else differs is looked at
 * line by line: pay-outs without an answer, and payments that we have not heard of.
 */
export async function reconcile(deps: ConversionDeps): Promise<Reconciliation> {
  const { db, exchange, tolerance, log } = deps;
  // Nothing is sent to where nothing could be done with it.
  if (!deps.isExchangeReady) mustTell('The exchange', await exchange.balances());
  const { look, isExplained, hasMisfits } = await compare(deps);
  const [{ asked, sent, unheard }] = look.books;
  const difference = smallestDistance(look);
  const kept = await insertReconciliation(db, {
    ledger_balance: look.told + difference,
    psp_balance: look.told,
    difference_amount: difference,
    going_out: asked + sent,
    coming_in: unheard,
    tolerance,
    status: isExplained ? 'MATCHED' : 'MISMATCH',
    requires_admin_attention: !isExplained || hasMisfits,
  });
  const { reconciliation_id } = kept;
  if (kept.status === 'MISMATCH')
    log.error({ reconciliation_id }, 'The gateway’s balance is not ours');
  return kept;
}

interface Compared {
  readonly look: Look;
  readonly isExplained: boolean;
  /** Money has come in that pays no purchase, and is not booked yet: people settle it. */
  readonly hasMisfits: boolean;
}

async function compare(deps: ConversionDeps): Promise<Compared> {
  let found: LookUpResult | undefined;
  for (let tried = 1; ; tried += 1) {
    const look = await lookAt(deps, found);
    const isExplained = await explains(deps, look, found);
    if (isExplained || tried === TRIES)
      return { look, isExplained, hasMisfits: found?.hasMisfits ?? false };
    const isMore = look.told > expected(look.books[1]);
    found = await lookCloser(deps, { isMore, isFirst: found === undefined });
  }
}

/** What is booked in between shows in both books or in none, and makes the span wider, not narrower. */
async function lookAt(deps: ConversionDeps, found: LookUpResult | undefined): Promise<Look> {
  const unheard = await unheardOf(deps, found);
  const before = { ...(await readBooks(deps)), unheard };
  const told = mustTell('The gateway', await deps.gateway.balance());
  const after = await readBooks(deps);
  return { told, books: [before, { ...after, unheard: await unheardOf(deps, found) }] };
}

async function unheardOf(
  { payments }: ConversionDeps,
  found: LookUpResult | undefined,
): Promise<bigint> {
  if (!found || found.paid.length === 0) return 0n;
  const unbooked = await payments.unbooked(found.paid);
  const lines = found.paid.filter(({ line }) => unbooked.has(line));
  return lines.reduce((sum, { units }) => sum + units, 0n);
}

const expected = ({ held, sent, unheard }: Books): bigint => held - sent + unheard;

/** What is booked while the gateway answers counts either way. */
async function explains(deps: ConversionDeps, look: Look, found: LookUpResult | undefined) {
  const { told, books } = look;
  const { tolerance } = deps;
  const { goingOut = NONE } = found ?? {};
  const [some, others] = books.map(expected) as [bigint, bigint];
  const [low, high] = some < others ? [some, others] : [others, some];
  if (told < low - goingOut.most - tolerance) return false;
  const over = told - (high - goingOut.least + tolerance);
  return over <= 0n || (found !== undefined && over <= (await paidLately(deps, found)));
}

/** Throws RECONCILIATION_FAILED with that status, and what an admin has to look at. */
export function mustMatch(found: Reconciliation, status: 400 | 403): void {
  if (found.status !== 'MISMATCH') return;
  throw fail('RECONCILIATION_FAILED', 'Ledger and gateway balance do not match', {
    status,
    details: detailsOf(found),
    extra: { reconciliation_id: found.reconciliation_id },
  });
}

export const detailsOf = ({ ledger_balance, psp_balance, difference_amount }: Reconciliation) => ({
  ledger_balance: sumOfRupiah(ledger_balance),
  psp_balance: sumOfRupiah(psp_balance),
  difference_amount: sumOfRupiah(difference_amount),
});

async function readBooks({ db }: ConversionDeps): Promise<Omit<Books, 'unheard'>> {
  const { gateway } = await conversionAccounts(db);
  const totals = await payoutTotals(db);
  const { posted } = await balanceOf(db, gateway);
  return { ...totals, held: -posted };
}

const sizeOf = (units: bigint): bigint => (units < 0n ? -units : units);

/** How far the ledger was from it, at the time at which it was nearer. */
function smallestDistance({ told, books }: Look): bigint {
  const [a, b] = books.map((one) => expected(one) - told) as [bigint, bigint];
  return sizeOf(b) < sizeOf(a) ? b : a;
}
