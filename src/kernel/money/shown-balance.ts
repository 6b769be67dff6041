import { Type } from 'typebox';
import { explained } from '../http/declare/schema.ts';
import { type Asset, format } from './money.ts';

/** What stands beside a balance wherever one is shown: decimal strings in the digits of its asset. */
export const SHOWN_BALANCE = {
  held: explained(
    Type.String(),
    'The part of the balance that is set aside for payments under way',
  ),
  available: explained(
    Type.String(),
    'What can be spent: the balance less what is held and owed; of a frozen wallet nothing',
  ),
};

/** Both of one account, from their units. */
export const shownBalance = (
  asset: Asset,
  { held, available }: { readonly held: bigint; readonly available: bigint },
) => ({
  held: format({ asset, units: held }),
  available: format({ asset, units: available }),
});
