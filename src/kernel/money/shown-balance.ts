import { Type } from 'typebox';
import { explained, TextOrNull } from '../http/declare/schema.ts';
import { type Asset, format } from './money.ts';

/** What of a balance can be spent, in units. */
export interface Spendable {
  /** Set aside for payments under way, or locked by the network. */
  readonly held: bigint;
  /** Never below zero. */
  readonly available: bigint;
}

const HELD =
  'The part of the balance that is set aside for payments under way, or that its network locks';
const AVAILABLE =
  'What can be spent: the balance less what is held and owed; of a frozen wallet nothing. Fees that are paid in the same asset come out of it, too';

/** What stands beside a balance wherever one is shown: decimal strings in the digits of its asset. */
export const SHOWN_BALANCE = {
  held: explained(Type.String(), HELD),
  available: explained(Type.String(), AVAILABLE),
};

/** The same beside a balance that is null where it cannot be read. */
export const SHOWN_WHERE_KNOWN = {
  held: explained(TextOrNull, HELD),
  available: explained(TextOrNull, AVAILABLE),
};

/** Both beside a balance that cannot be read. */
export const NOT_KNOWN = { held: null, available: null };

/** Both of one balance, in the digits of that asset, or as the balance itself is written. */
export function shownBalance(
  written: Asset | ((units: bigint) => string),
  { held, available }: Spendable,
) {
  const write =
    typeof written === 'function' ? written : (units: bigint) => format({ asset: written, units });
  return { held: write(held), available: write(available) };
}

/** What is left of a balance beside what is held of it. */
export const spendableOf = (balance: bigint, held: bigint): Spendable => ({
  held,
  available: balance > held ? balance - held : 0n,
});
