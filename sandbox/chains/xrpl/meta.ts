import { library } from '#chains/xrpl/library.ts';
import type { Tx } from './apply.ts';
import { printValue } from './decimal.ts';
import type { AccountRoot, SimulatedXrplChange, TrustLine, View } from './state.ts';

/** What a transaction did, as the ledger tells it. */
export async function simulatedXrplMetaOf(view: View, tx: Tx, result: string, index: number) {
  const { hashes } = await library();
  const { accounts, lines } = view.changes();
  return {
    AffectedNodes: [
      ...accounts.map((change) =>
        node('AccountRoot', hashes.hashAccountRoot(change.after.address), change, rootOf),
      ),
      ...lines.map((change) => {
        const { low, high, currency } = change.after;
        return node('RippleState', hashes.hashTrustline(low, high, currency), change, stateOf);
      }),
    ],
    TransactionIndex: index,
    TransactionResult: result,
    ...(result === 'tesSUCCESS' && tx.TransactionType === 'Payment'
      ? { delivered_amount: tx.Amount }
      : {}),
  };
}

function node<T>(
  LedgerEntryType: string,
  LedgerIndex: string,
  { before, after }: SimulatedXrplChange<T>,
  fieldsOf: (value: T) => Record<string, unknown>,
) {
  const named = { LedgerEntryType, LedgerIndex };
  if (before === undefined) return { CreatedNode: { ...named, NewFields: fieldsOf(after) } };
  const [FinalFields, old] = [fieldsOf(after), fieldsOf(before)];
  const PreviousFields = Object.fromEntries(
    Object.entries(old).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(FinalFields[field]),
    ),
  );
  return { ModifiedNode: { ...named, FinalFields, PreviousFields } };
}

export const rootOf = ({ address, drops, sequence, flags, owned }: AccountRoot) => ({
  Account: address,
  Balance: `${drops}`,
  Flags: flags,
  OwnerCount: owned,
  Sequence: sequence,
});

const NOBODY = 'rrrrrrrrrrrrrrrrrrrrBZbvji';
const stateOf = ({ low, high, currency, balance, low_limit, high_limit }: TrustLine) => ({
  Balance: { currency, issuer: NOBODY, value: printValue(balance) },
  Flags: 0,
  LowLimit: { currency, issuer: low, value: printValue(low_limit) },
  HighLimit: { currency, issuer: high, value: printValue(high_limit) },
});
