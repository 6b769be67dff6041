import { fail } from '#kernel/http/error.ts';
import { balanceOf } from '#kernel/ledger/accounts.ts';
import { toWire } from '#kernel/money/money.ts';
import type { ConversionDeps } from './deps.ts';
import { insertReconciliation, type Reconciliation } from './reconciliation-store.ts';

/** What the ledger says that the gateway holds for us, and what may have left it since. */
interface Books {
  readonly held: bigint;
  readonly goingOut: bigint;
}

/**
 * Holds the ledger against the gateway, before money is sent away, and keeps what came out. They may
 * differ by what is under way: a pay-out that the gateway has taken off and we have not booked, or a
 * payment that we have not heard of. What is booked while the gateway answers counts either way.
 */
export async function reconcile(deps: ConversionDeps): Promise<Reconciliation> {
  const { db, gateway, tolerance, log } = deps;
  const before = await readBooks(deps);
  const told = await gateway.balance();
  if (told.kind !== 'done') {
    const why = told.kind === 'unknown' ? told.cause : told.code;
    throw fail('PROVIDER_UNAVAILABLE', 'The gateway does not tell its balance', { cause: why });
  }
  const books = [before, await readBooks(deps)];
  const comingIn = await comingInOf(deps, books, told.value);
  const verdict = weigh({ books, comingIn, tolerance, told: told.value });
  const kept = await insertReconciliation(db, {
    ledger_balance: told.value + verdict.difference,
    psp_balance: told.value,
    difference_amount: verdict.difference,
    going_out: most(books.map(({ goingOut }) => goingOut)),
    coming_in: comingIn,
    tolerance,
    status: verdict.status,
    requires_admin_attention: verdict.status === 'MISMATCH',
  });
  const { reconciliation_id } = kept;
  if (kept.requires_admin_attention)
    log.error({ reconciliation_id }, 'The gateway’s balance is not ours');
  return kept;
}

interface Compared {
  /** Before and after the gateway was asked. */
  readonly books: readonly Books[];
  readonly comingIn: bigint;
  readonly tolerance: bigint;
  readonly told: bigint;
}

function weigh({ books, comingIn, tolerance, told }: Compared) {
  const difference = smallestDistance(books, told);
  if (sizeOf(difference) <= tolerance) return { difference, status: 'MATCHED' as const };
  const floor = least(books.map(({ held, goingOut }) => held - goingOut)) - tolerance;
  const ceiling = most(books.map(({ held }) => held)) + comingIn + tolerance;
  const isExplained = told >= floor && told <= ceiling;
  return { difference, status: isExplained ? ('IN_FLIGHT' as const) : ('MISMATCH' as const) };
}

/** Asked only where the gateway has more than the ledger says. */
async function comingInOf(
  { db, underWay }: ConversionDeps,
  books: readonly Books[],
  told: bigint,
): Promise<bigint> {
  if (told <= most(books.map(({ held }) => held))) return 0n;
  return sumOf(await Promise.all(underWay.map(({ comingIn }) => comingIn(db))));
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
  const goingOut = await Promise.all(underWay.map((some) => some.goingOut(db)));
  const { posted } = await balanceOf(db, gateway);
  return { held: -posted, goingOut: sumOf(goingOut) };
}

const sumOf = (all: readonly bigint[]): bigint => all.reduce((sum, one) => sum + one, 0n);
const sizeOf = (units: bigint): bigint => (units < 0n ? -units : units);

const sorted = (all: readonly bigint[]): bigint[] => all.toSorted((a, b) => Number(a - b));
const least = (all: readonly bigint[]): bigint => sorted(all)[0] ?? 0n;
const most = (all: readonly bigint[]): bigint => sorted(all).at(-1) ?? 0n;

/** How far the ledger was from it, at the time at which it was nearer. */
function smallestDistance(books: readonly Books[], told: bigint): bigint {
  const distances = books.map(({ held }) => held - told);
  return distances.reduce((a, b) => (sizeOf(b) < sizeOf(a) ? b : a));
}
