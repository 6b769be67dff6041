import { type Destinations, each, listed } from '../destinations.ts';
import type { XrplKeys } from './keys.ts';

/** Reserved by the ledger, or without a key: ACCOUNT_ZERO, ACCOUNT_ONE, the name reservation and NaN. */
const BLACK_HOLES = [
  'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
  'rrrrrrrrrrrrrrrrrrrrBZbvji',
  'rrrrrrrrrrrrrrrrrNAMEtxvNvQ',
  'rrrrrrrrrrrrrrrrrrrn5RM1rHd',
];
/** The first account, of whose seed everybody knows. */
const GENESIS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

/** Classic addresses; the issuer of USDC is the platform's, too. */
export const xrplDestinations = (keys: () => Promise<XrplKeys>): Destinations =>
  listed(async () => [
    ...each('NOBODY', [...BLACK_HOLES, GENESIS]),
    ...each(
      'PLATFORM',
      Object.values(await keys()).map(({ classicAddress }) => classicAddress),
    ),
  ]);
