/** The contract's types for the postings that it names; any other type is the kind in capitals. */
const TX_TYPES: Readonly<Record<string, string>> = {
  'card-top-up': 'TOPUP',
  'bank-top-up': 'TOPUP',
  'card-refund': 'REFUND',
  'card-push': 'PUSH',
};

/** The transaction type of a posting of that kind. */
export const txTypeOf = (kind: string): string =>
  TX_TYPES[kind] ?? kind.toUpperCase().replaceAll('-', '_');

export const LINE_STATUS = ['SUCCESS_RECEIVED', 'COMPLETED', 'HELD', 'RELEASED'] as const;

/** The status of a statement's line: money has come or gone, or was held or released. */
export function lineStatus(
  kind: string,
  { amount, held_delta }: { readonly amount: bigint; readonly held_delta: bigint },
): (typeof LINE_STATUS)[number] {
  if (amount !== 0n) return txTypeOf(kind) === 'TOPUP' ? 'SUCCESS_RECEIVED' : 'COMPLETED';
  return held_delta > 0n ? 'HELD' : 'RELEASED';
}
