/** The contract's words for the postings that it names; any other is its kind in capitals. */
const TX_TYPES: Readonly<Record<string, string>> = {
  'card-top-up': 'TOPUP',
  'bank-top-up': 'TOPUP',
  'card-refund': 'REFUND',
  'card-push': 'PUSH',
};

/** The type of transaction that a posting of that kind is. */
export const txTypeOf = (kind: string): string =>
  TX_TYPES[kind] ?? kind.toUpperCase().replaceAll('-', '_');

export const LINE_STATUS = ['SUCCESS_RECEIVED', 'COMPLETED', 'HELD', 'RELEASED'] as const;

/** What a line of a statement says: money has come or gone, or was set aside or freed. */
export function lineStatus(
  kind: string,
  { amount, held_delta }: { readonly amount: bigint; readonly held_delta: bigint },
): (typeof LINE_STATUS)[number] {
  if (amount !== 0n) return txTypeOf(kind) === 'TOPUP' ? 'SUCCESS_RECEIVED' : 'COMPLETED';
  return held_delta > 0n ? 'HELD' : 'RELEASED';
}
