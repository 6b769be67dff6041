import { REWARD } from '#features/accounts/rewards/rewards.ts';
import { fail } from '#kernel/error.ts';
import type { Transfer } from '#kernel/ledger/transfers.ts';
import type { Asset } from '#kernel/money/money.ts';

/**
 * What is money of the ledger alone: no card, bank, chain or state of a feature says that it was moved, so
 * that nothing is untrue once it is undone. All else goes back by its own way (decisions: adjustments).
 */
const REVERSIBLE: readonly string[] = ['adjustment', 'reversal', REWARD];

/** How the rest goes back. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^card-top-up$/, 'Give it back to the card: POST /card-checkout/card/refund.'],
  [/^marketplace-/, 'See GET /marketplace/payments, and send back what is owed there.'],
  [/-(hold|release)$/, 'What is set aside goes back with what it was set aside for.'],
];

/** What it moved. Throws NOT_REVERSIBLE where more than the ledger would have to be undone. */
export function requireReversible({ kind, entries }: Transfer): Asset {
  const [asset, ...others] = new Set(entries.map(({ asset }) => asset));
  const isPlain = others.length === 0 && entries.every(({ has_holds }) => !has_holds);
  if (asset !== undefined && isPlain && REVERSIBLE.includes(kind)) return asset;
  const hint = INSTEAD.find(([kinds]) => kinds.test(kind))?.[1];
  throw fail('NOT_REVERSIBLE', `A ${kind} is not undone by a posting alone`, {
    details: { kind },
    ...(hint !== undefined && { hint }),
  });
}
