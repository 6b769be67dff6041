import { tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import { fail } from '#kernel/error.ts';
import type { UserCaller } from '#kernel/http/declare/route.ts';
import type { SimulatedEvent, TransferStatus } from '#providers/plaid/port.ts';
import type { BankDeps } from './connect.ts';
import { bankLinkAnswerOf } from './refusals.ts';
import { topUpNamed } from './top-up-store.ts';

/** The address of the provider's webhooks. */
export const webhookUrl = ({ publicUrl }: Pick<BankDeps, 'publicUrl'>): string =>
  `${publicUrl()}/api/banklink/webhook`;

/** The steps that lead to an event, from the first on: a transfer is posted before it settles. */
const PATHS: Readonly<Record<SimulatedEvent, readonly SimulatedEvent[]>> = {
  posted: ['posted'],
  settled: ['posted', 'settled'],
  funds_available: ['posted', 'settled', 'funds_available'],
  failed: ['failed'],
  returned: ['posted', 'returned'],
};

/**
 * Moves a transfer on to that event, in the provider's sandbox only. Mock mode made no transfer, and accepts any
 * event.
 */
export async function simulateTransfer(
  deps: BankDeps,
  caller: UserCaller,
  transfer_id: string,
  event: SimulatedEvent,
): Promise<void> {
  const row = await topUpNamed(deps.db, tenantScopeOf(caller), transfer_id);
  if (deps.config.MOCK_MODE && (row?.transfer_id ?? null) === null) return;
  requireSandbox(deps);
  if (!row?.transfer_id) throw fail('TRANSACTION_NOT_FOUND', 'Transfer not found', { status: 400 });
  const { status } = bankLinkAnswerOf(await deps.bankLink.transfer(row.transfer_id));
  for (const step of stepsFrom(status, event))
    bankLinkAnswerOf(await deps.bankLink.simulateTransfer(row.transfer_id, step, webhookUrl(deps)));
}

/** The remaining steps; the provider refuses an impossible one. */
function stepsFrom(status: TransferStatus, event: SimulatedEvent): readonly SimulatedEvent[] {
  const path = PATHS[event];
  if (status === event) return [];
  const done = path.indexOf(status as SimulatedEvent);
  if (done >= 0 || status === 'pending') return path.slice(done + 1);
  const [last] = path.slice(-1);
  return last ? [last] : [];
}

/** Moves a SEPA payment to its end, in the provider's sandbox only. */
export async function simulatePayment(deps: BankDeps, payment_id: string): Promise<void> {
  if (deps.config.MOCK_MODE) return;
  requireSandbox(deps);
  bankLinkAnswerOf(await deps.bankLink.simulatePayment(payment_id, webhookUrl(deps)));
}

function requireSandbox({ bankLink }: BankDeps): void {
  if (bankLink.mode() !== 'sandbox')
    throw fail('PROVIDER_REJECTED', 'Only a sandbox takes simulated events');
}
