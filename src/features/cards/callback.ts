import { Type } from 'typebox';
import { fail } from '#kernel/http/error.ts';
import { isNotConfigured } from '#providers/provider.ts';
import { traceOfRow } from './order.ts';
import { networkNotConfigured } from './refusals.ts';
import { type CardTransaction, findByIdentifier, showStatus } from './store.ts';
import type { CardDeps } from './transaction.ts';

/** What a call-back may say. The contract lists no words, so any is taken and shown in capitals. */
export const SaidStatus = Type.String({
  pattern: '^[A-Za-z][A-Za-z_]{1,39}$',
  description: 'a word',
});

/**
 * Somebody says that the status of a transaction has changed. In mock mode that is believed; else
 * the network is asked, and its answer counts. Only the shown status changes: a call-back moves no
 * money, and an identifier that nobody knows changes nothing.
 */
export async function handleCallback(
  deps: CardDeps,
  identifier: string,
  said: string,
): Promise<void> {
  for (const row of await findByIdentifier(deps.db, identifier)) {
    const status = deps.config.MOCK_MODE ? said.toUpperCase() : await statusAtNetwork(deps, row);
    if (status !== undefined) await showStatus(deps.db, row.id, status);
  }
}

/** Nothing when the network does not know it, or does not know yet what becomes of it. */
async function statusAtNetwork(
  { network, log }: CardDeps,
  row: CardTransaction,
): Promise<string | undefined> {
  if (row.simulated) return undefined;
  const found = await network.find(traceOfRow(row), row.transaction_identifier ?? undefined);
  if (isNotConfigured(found)) throw networkNotConfigured();
  if (found.kind === 'unknown')
    throw fail('PROVIDER_UNAVAILABLE', 'The card network cannot confirm the status now', {
      retryAfter: 30,
    });
  if (found.kind === 'refused') {
    // The money was booked on the network's word. People have to sort that out with the network.
    log.error({ reference: row.reference_id }, 'The card network took back what it had settled');
    return 'FAILED';
  }
  return found.value && STATUS.test(found.value.status) ? found.value.status : undefined;
}

const STATUS = /^[A-Z][A-Z_]{1,39}$/;
