import type { XrplAddresses, XrplNetwork } from '#chains/xrpl/port.ts';
import { fail } from '#kernel/error.ts';
import { isNotConfigured, notConfigured } from '#kernel/provider-call.ts';

const RETRY_S = 5;
/** Millionths: the ledger keeps 15 digits, and nothing of ours may be rounded. */
const UNITS_MAX = 10_000_000n * 1_000_000n;

/** The platform's addresses. Throws, before anything moves, where the ledger cannot be reached. */
export async function ready(xrpl: Pick<XrplNetwork, 'prepare'>): Promise<XrplAddresses> {
  const prepared = await xrpl.prepare();
  if (prepared.kind === 'done') return prepared.value;
  if (isNotConfigured(prepared)) throw notConfigured('The XRP Ledger');
  throw unreachable();
}

export const unreachable = () =>
  fail('PROVIDER_UNAVAILABLE', 'The XRP Ledger cannot be reached; nothing was moved', {
    retryAfter: RETRY_S,
  });

/** LIMIT_EXCEEDED for more than ten million USDC at once. */
export function withinXrplLimit(units: bigint): void {
  if (units > UNITS_MAX)
    throw fail('LIMIT_EXCEEDED', 'At most 10000000 USDC go over the XRP Ledger at once');
}
