import { fail } from '#kernel/http/error.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { toWire } from '#kernel/money/money.ts';
import type { ConversionDeps, UnderWay } from './deps.ts';
import { insertReconciliation, type Reconciliation } from './reconciliation-store.ts';
import { mustTell } from './told.ts';

/** What the ledger says that the gateway holds for us, and what either may have done since. */
interface Books extends UnderWay {
  readonly held: bigint;
}

/**
 * Holds the ledger against the gateway, before money is sent away, and keeps what came out. They may
 * differ by what is under way: a pay-out that the gateway has taken off and we have not booked, or a
 * payment that we have not heard of. What is booked while the gateway answers counts either way.
 */
export async function reconcile(deps: ConversionDeps): Promise<Reconciliation> {
  const { db, gateway, exchange, tolerance, log } = deps;
  // Nothing is sent to where nothing could be done with it.
  if (!deps.isExchangeReady) mustTell('The exchange', await exchange.balances());
  const before = await readBooks(deps);
  const told = mustTell('The gateway', await gateway.balance());
  const books = [before, await readBooks(deps)];
  const verdict = weigh(books, told, tolerance);
  const kept = await insertReconciliation(db, {
    ledger_balance: told + verdict.difference,
    psp_balance: told,
    difference_amount: verdict.difference,
    going_out: most(books.map(({ goingOut }) => goingOut)),
    coming_in: most(books.map(({ comingIn }) => comingIn)),
    tolerance,
    status: verdict.status,
    requires_admin_attention: verdict.status === 'MISMATCH',
  });
  const { reconciliation_id } = kept;
  if (kept.requires_admin_attention)
    log.error({ reconciliation_id }, 'The gateway’s balance is not ours');
  return kept;
}

/** `books` are those of before and after the gateway was asked. */
function weigh(books: readonly Books[], told: bigint, tolerance: bigint) {
  const difference = smallestDistance(books, told);
  if (sizeOf(difference) <= tolerance) return { difference, status: 'MATCHED' as const };
  const floor = least(books.map(({ held, goingOut }) => held - goingOut)) - tolerance;
  const ceiling = most(books.map(({ held, comingIn }) => held + comingIn)) + tolerance;
  const isExplained = told >= floor && told <= ceiling;
  return { difference, status: isExplained ? ('IN_FLIGHT' as const) : ('MISMATCH' as const) };
}

/** Throws RECONCILIATION_FAILED with that status, and what an admin has to look at. */
export function mustMatch(found: Reconciliation, status: 400 | 403): void {
  if (!found.requires_admin_attention) return;
  throw fail('RECONCILIATION_FAILED', 'Ledger and gateway balance do not match', {
    status,
    details: detailsOf(found),
    extra: { reconciliation_id: found.reconciliation_id },
  });
}

export const detailsOf = ({ ledger_balance, psp_balance, difference_amount }: Reconciliation) => ({
  ledger_balance: rupiah(ledger_balance),
  psp_balance: rupiah(psp_balance),
  difference_amount: rupiah(difference_amount),
});

const rupiah = (units: bigint): number => toWire({ asset: 'IDR', units });

async function readBooks({ db, accounts, underWay }: ConversionDeps): Promise<Books> {
  const { gateway } = await accounts();
  // In this order: what is booked in between shows in both, and makes the span wider, not narrower.
  const some = await Promise.all(underWay.map((ask) => ask(db)));
  const { posted } = await balanceOf(db, gateway);
  const sumOf = (side: keyof UnderWay) => some.reduce((sum, one) => sum + one[side], 0n);
  return { held: -posted, goingOut: sumOf('goingOut'), comingIn: sumOf('comingIn') };
}

const sizeOf = (units: bigint): bigint => (units < 0n ? -units : units);

const sorted = (all: readonly bigint[]): bigint[] => all.toSorted((a, b) => (a < b ? -1 : 1));
const least = (all: readonly bigint[]): bigint => sorted(all)[0] ?? 0n;
const most = (all: readonly bigint[]): bigint => sorted(all).at(-1) ?? 0n;

/** How far the ledger was from it, at the time at which it was nearer. */
function smallestDistance(books: readonly Books[], told: bigint): bigint {
  const distances = books.map(({ held }) => held - told);
  return distances.reduce((a, b) => (sizeOf(b) < sizeOf(a) ? b : a));
}
