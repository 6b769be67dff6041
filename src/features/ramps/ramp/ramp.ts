/** The parts that ramps share: how a flow pays a bank, its final states, and legs of the ledger. */
export { type BankEnd, bankFlow } from './bank-flow.ts';
export { DestinationBank } from './destination-bank.ts';
export { ending } from './ending.ts';
export { type House, houseAccountsOf } from './house.ts';
export { fromHeld, mergedLegs, reversedLegs } from './legs.ts';
export { packedReference, unpackedReference } from './packed-reference.ts';
