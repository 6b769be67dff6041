/** What transactions at our contracts do, and proofs of what they did, by the chain's word. */
export {
  approveCall,
  bridgeBurnCall,
  bridgeMintCall,
  bridgeNonce,
  type ContractCall,
  mintTokenCall,
  recordPurchaseCall,
  sweepCall,
  takeBackCall,
  transferCall,
} from './calls.ts';
export { TOKENS } from './movement.ts';
export {
  type Disproof,
  findBridgeBurn,
  type Proof,
  prove,
  proveBridgeBurn,
  proveBridgeMint,
  proveTokenBurn,
  proveTokenMint,
  type Witness,
} from './proofs.ts';
export { searchLogs } from './search.ts';
export { proveTransfer } from './transfer-proof.ts';
