import { type PayoutTotals, payoutTotals } from '#features/fiat/payouts/payouts.ts';
import { fail } from '#kernel/error.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { conversionAccounts } from './accounts.ts';
import type { ConversionDeps } from './deps.ts';
import { inspectOpenLines, NONE, type OpenLines, paidLately } from './in-flight.ts';
import { sumOfRupiah } from './presenters.ts';
import { insertReconciliation, type Reconciliation } from './reconciliation-store.ts';
import { requireProviderAnswer } from './require-outcome.ts';

/** The ledger's view of the gateway: what it holds for us, owes to pay out, and was paid. */
interface Books extends PayoutTotals {
  readonly held: bigint;
  /** Lines of the gateway's statement that we have not booked. */
  readonly unbooked: bigint;
}

/** Both sides at one moment: the gateway's balance, and the books before and after it was read. */
interface Look {
  readonly balance: bigint;
  readonly books: readonly [Books, Books];
}

/** Without open lines, with those of the last hour, and twice with those of a day: payments go on meanwhile. */
const TRIES = 4;

/**
 * Compares the ledger with the gateway's balance before money leaves, and keeps the result. The gateway has less by
 * its pay-outs in flight, a kept sum. Another difference is explained line by line: pay-outs without an answer, and
 * unreported payments.
 */
export async function reconcile(deps: ConversionDeps): Promise<Reconciliation> {
  const { db, exchange, tolerance, log } = deps;
  // No money goes to an exchange that could not trade it.
  if (!deps.isExchangeReady) requireProviderAnswer('The exchange', await exchange.balances());
  const { look, isExplained, hasMisfits } = await compare(deps);
  const [{ asked, sent, unbooked }] = look.books;
  const difference = smallestDistance(look);
  const kept = await insertReconciliation(db, {
    ledger_balance: look.balance + difference,
    psp_balance: look.balance,
    difference_amount: difference,
    going_out: asked + sent,
    coming_in: unbooked,
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
  /** An unbooked payment pays no purchase: a person settles it. */
  readonly hasMisfits: boolean;
}

async function compare(deps: ConversionDeps): Promise<Compared> {
  let found: OpenLines | undefined;
  for (let tried = 1; ; tried += 1) {
    const look = await lookAt(deps, found);
    const isExplained = await explains(deps, look, found);
    if (isExplained || tried === TRIES)
      return { look, isExplained, hasMisfits: found?.hasMisfits ?? false };
    const isMore = look.balance > expected(look.books[1]);
    found = await inspectOpenLines(deps, { isMore, isFirst: found === undefined });
  }
}

/** A booking in between is in both books or in none, and makes the span wider, never narrower. */
async function lookAt(deps: ConversionDeps, found: OpenLines | undefined): Promise<Look> {
  const unbooked = await unbookedOf(deps, found);
  const before = { ...(await readBooks(deps)), unbooked };
  const balance = requireProviderAnswer('The gateway', await deps.gateway.balance());
  const after = await readBooks(deps);
  return { balance, books: [before, { ...after, unbooked: await unbookedOf(deps, found) }] };
}

async function unbookedOf(
  { payments }: ConversionDeps,
  found: OpenLines | undefined,
): Promise<bigint> {
  if (!found || found.paid.length === 0) return 0n;
  const open = await payments.unbooked(found.paid);
  const lines = found.paid.filter(({ line }) => open.has(line));
  return lines.reduce((sum, { units }) => sum + units, 0n);
}

const expected = ({ held, sent, unbooked }: Books): bigint => held - sent + unbooked;

/** A booking while the gateway answers may count or not. */
async function explains(deps: ConversionDeps, look: Look, found: OpenLines | undefined) {
  const { balance, books } = look;
  const { tolerance } = deps;
  const { goingOut = NONE } = found ?? {};
  const [some, others] = books.map(expected) as [bigint, bigint];
  const [low, high] = some < others ? [some, others] : [others, some];
  if (balance < low - goingOut.most - tolerance) return false;
  const over = balance - (high - goingOut.least + tolerance);
  return over <= 0n || (found !== undefined && over <= (await paidLately(deps, found)));
}

/** Throws RECONCILIATION_FAILED with that status, and the figures for an admin. */
export function requireMatch(found: Reconciliation, status: 400 | 403): void {
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

async function readBooks({ db }: ConversionDeps): Promise<Omit<Books, 'unbooked'>> {
  const { gateway } = await conversionAccounts(db);
  const totals = await payoutTotals(db);
  const { posted } = await balanceOf(db, gateway);
  return { ...totals, held: -posted };
}

const sizeOf = (units: bigint): bigint => (units < 0n ? -units : units);

/** The smaller of both differences between ledger and balance. */
function smallestDistance({ balance, books }: Look): bigint {
  const [a, b] = books.map((one) => expected(one) - balance) as [bigint, bigint];
  return sizeOf(b) < sizeOf(a) ? b : a;
}
