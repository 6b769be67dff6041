/** The parts that ramps share: final states of flows, and legs of the ledger. */
export { DestinationBank } from './destination-bank.ts';
export { ending } from './ending.ts';
export type {
  DonePayment,
  FarAddress,
  FarLedger,
  FarOrder,
  FarRecipient,
} from './far-ledger.ts';
export { type House, houseAccountsOf } from './house.ts';
export { fromHeld, mergedLegs, reversedLegs } from './legs.ts';
export { packedReference, unpackedReference } from './packed-reference.ts';
