/**
 * What the rest of the house may know of the EVM chains, and all that it may import of this folder
 * (test/tidy.test.ts). Which nodes there are, how a transaction is signed, repeated and watched, and
 * what the journal's tables look like stays behind it. Who makes a network imports network.ts.
 */
// What our tokens did, by the chain's logs and by the journal.
export { readOurs } from './books.ts';
// A chain, and all of them.

// What the settings say of each chain.
export { AddressSetting, chainSetting, rpcSetting } from './chain-setting.ts';
// Which chains there are, and how people name and see them.
export {
  CHAIN_KEYS,
  CHAINS,
  type ChainInfo,
  type ChainKey,
  exampleChain,
  explorerTxUrl,
  isChainKey,
  sendableAssets,
} from './chains.ts';
// What a transaction does.
export {
  approveCall,
  type BridgeTransfer,
  bridgeBurnCall,
  bridgeMintCall,
  bridgeNonce,
  type ContractCall,
  mintTokenCall,
  payOrderCall,
  recordPurchaseCall,
  sweepCall,
  takeBackCall,
  transferCall,
} from './contracts/calls.ts';
// What a transaction did, by the chain's word.
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
} from './contracts/proofs.ts';
export { searchLogs } from './contracts/search.ts';
export { proveTransfer } from './contracts/transfer-proof.ts';
export type { ChainListener, ChainSender, EvmChain, EvmNetwork } from './evm-chain.ts';
// What may go wrong, by what the caller may conclude.
export { ChainError, type ChainFaultKind, chainFault } from './fault.ts';
export { caughtUpAt } from './following/cursor.ts';
// What contracts have told, followed from block to block.
export { type EvmFollower, type FollowedTo, follow } from './following/follower.ts';
export { paymentSources, type SeenPayment, seenPayment } from './following/payments.ts';
// Addresses, balances and tokens.
export {
  acrossChains,
  addressOf,
  type Balances,
  readAllowance,
  readBalances,
  readSupply,
  readToken,
  type TokenInfo,
  typedEvmAddress,
} from './reads.ts';
// What became of a transaction of ours, by the journal's word.
export { hasFailed, isConfirmed, mayHappen } from './sending/finality.ts';
export {
  type ChainTransaction,
  findByHash,
  findByReference,
  lockByReference,
  minedBefore,
  referencesOf,
  replacementHash,
} from './sending/journal.ts';
export { isJournalled, listJournalled } from './sending/journalled.ts';
export { journalledSupply, journalStamp, tokensGivenBy } from './sending/journalled-supply.ts';
export { firstCallOf, type OrderPayment, payOrder } from './sending/pay-order.ts';
export type { EvmCall as ChainCall, PreparedTransaction as Quote } from './sending/prepare.ts';
export { type ExecutedTransaction, isExecuted } from './sending/sender.ts';
export { strangeSigners } from './sending/signed.ts';
// Who has signed a text.
export { messageSigner, signInMessage } from './signed-message.ts';
// Who signs.
export {
  keySigner,
  mnemonicSeed,
  type PlatformKeys,
  platformKeys,
  type Signer,
  sealedSigner,
} from './signer.ts';
