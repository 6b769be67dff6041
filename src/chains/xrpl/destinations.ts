import { type Destinations, each, listed } from '../destinations.ts';

/** Reserved by the ledger, or without a key: ACCOUNT_ZERO, ACCOUNT_ONE, the name reservation and NaN. */
const BLACK_HOLES = [
  'rrrrrrrrrrrrrrrrrrrrrhoLvTp',
  'rrrrrrrrrrrrrrrrrrrrBZbvji',
  'rrrrrrrrrrrrrrrrrNAMEtxvNvQ',
  'rrrrrrrrrrrrrrrrrrrn5RM1rHd',
];
/** The first account, of whose seed everybody knows. */
const GENESIS = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

/** Classic addresses. `own` are the issuer of USDC and the platform's address. */
export const xrplDestinations = (own: () => Promise<readonly string[]>): Destinations =>
  listed(async () => [
    ...each('NOBODY', [...BLACK_HOLES, GENESIS]),
    ...each('PLATFORM', await own()),
  ]);
