import { REWARD } from '#features/accounts/rewards/rewards.ts';
import { fail } from '#kernel/error.ts';
import type { Transfer } from '#kernel/ledger/transfers.ts';
import type { Asset } from '#kernel/money/money.ts';

/**
 * Kinds of transfer that only the ledger records: no card, bank, chain or state of a feature depends on them, so
 * their reversal contradicts no other record. Other money goes back by its own way (decisions: adjustments).
 */
const REVERSIBLE: readonly string[] = ['adjustment', 'reversal', REWARD];

/** How the other kinds go back. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^card-top-up$/, 'Give it back to the card: POST /card-checkout/card/refund.'],
  [/^marketplace-/, 'See GET /marketplace/payments, and send back what is owed there.'],
  [/-(hold|release)$/, 'Held money is released by the operation that holds it.'],
];

/** The legs of the transfer. Throws NOT_REVERSIBLE where other records would have to be undone, too. */
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
