import { type Address, encodeFunctionData, type Hash, type Hex, keccak256, toHex } from 'viem';
import {
  burnMintBridge,
  commerceLedger,
  idrToken,
  marketplacePayments,
  testUSDC,
} from './contracts.generated.ts';
import type { ContractSet } from './deploy.ts';

/** What a transaction does, without who signs it. */
export interface ContractCall {
  readonly to: Address;
  readonly data: Hex;
}

/** The nonce of a transfer log as the bridge knows it. */
export const bridgeNonce = (nonce: string): Hash => keccak256(toHex(nonce));

/** The key of an order as the payment and commerce contracts know it. */
export const orderKey = (orderId: string): Hash => keccak256(toHex(orderId));

/** Moves ERC-20 units from the signer. */
export const transferCall = (token: Address, to: Address, units: bigint): ContractCall => ({
  to: token,
  data: encodeFunctionData({ abi: testUSDC.abi, functionName: 'transfer', args: [to, units] }),
});

/** Lets `spender` take that many of the signer's units. */
export const approveCall = (token: Address, spender: Address, units: bigint): ContractCall => ({
  to: token,
  data: encodeFunctionData({ abi: testUSDC.abi, functionName: 'approve', args: [spender, units] }),
});

/** Makes units of one of our tokens; for the hot wallet. */
export const mintTokenCall = (token: Address, to: Address, units: bigint): ContractCall => ({
  to: token,
  data: encodeFunctionData({ abi: testUSDC.abi, functionName: 'mint', args: [to, units] }),
});

/** Takes back rupiah tokens that were minted by mistake; for the hot wallet. */
export const takeBackCall = (token: Address, from: Address, units: bigint): ContractCall => ({
  to: token,
  data: encodeFunctionData({ abi: idrToken.abi, functionName: 'burnFrom', args: [from, units] }),
});

/** Burns rupiah tokens of the signer. */
export const redeemCall = (token: Address, units: bigint): ContractCall => ({
  to: token,
  data: encodeFunctionData({ abi: idrToken.abi, functionName: 'burn', args: [units] }),
});

export interface BridgeTransfer {
  /** The log's nonce as text. */
  readonly nonce: string;
  readonly units: bigint;
  readonly recipient: Address;
}

/** Burns USDC of the signer towards another chain. */
export const bridgeBurnCall = (
  { bridge }: ContractSet,
  { nonce, units, recipient }: BridgeTransfer,
  toChainId: number,
): ContractCall => ({
  to: bridge,
  data: encodeFunctionData({
    abi: burnMintBridge.abi,
    functionName: 'burn',
    args: [bridgeNonce(nonce), units, BigInt(toChainId), recipient],
  }),
});

/** Mints what was burnt on another chain; for the relayer. */
export const bridgeMintCall = (
  { bridge }: ContractSet,
  { nonce, units, recipient }: BridgeTransfer,
  burn: { chainId: number; hash: Hash },
): ContractCall => ({
  to: bridge,
  data: encodeFunctionData({
    abi: burnMintBridge.abi,
    functionName: 'mint',
    args: [bridgeNonce(nonce), units, BigInt(burn.chainId), recipient, burn.hash],
  }),
});

/** Pays an order from the signer, who must have approved the payment contract before. */
export const payOrderCall = (
  { marketplace }: ContractSet,
  payment: { orderId: string; token: Address; units: bigint },
): ContractCall => ({
  to: marketplace,
  data: encodeFunctionData({
    abi: marketplacePayments.abi,
    functionName: 'pay',
    args: [payment.orderId, payment.token, payment.units],
  }),
});

/** Sends what was paid by plain transfers on to the treasury; for anybody. */
export const sweepCall = ({ marketplace }: ContractSet, token: Address): ContractCall => ({
  to: marketplace,
  data: encodeFunctionData({
    abi: marketplacePayments.abi,
    functionName: 'sweep',
    args: [token],
  }),
});

/** Writes a purchase down for good; for the hot wallet. */
export const recordPurchaseCall = (
  { commerce }: ContractSet,
  purchase: { orderId: string; buyer: Address; units: bigint; paymentTx: Hash; metaHash: Hash },
): ContractCall => ({
  to: commerce,
  data: encodeFunctionData({
    abi: commerceLedger.abi,
    functionName: 'record',
    args: [purchase.orderId, purchase.buyer, purchase.units, purchase.paymentTx, purchase.metaHash],
  }),
});
