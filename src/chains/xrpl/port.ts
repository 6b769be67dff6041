/**
 * What the rest of the house may know of the XRP Ledger, and all that it may import of this folder
 * (test/tidy.test.ts). How a transaction is signed, submitted and looked up stays behind it.
 */

export { isXrplAddress } from './address.ts';
export { USDC_CODE } from './currency.ts';
export type { XrplNetwork, XrplTransaction } from './network.ts';
export { paymentLine } from './payment-line.ts';
export type { XrplAddresses } from './setup.ts';
export {
  type DestinationFault,
  readDestination,
  TAG_MAX,
  type TaggedAddress,
} from './tagged-address.ts';
