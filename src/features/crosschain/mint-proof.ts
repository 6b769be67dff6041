import { type Hash, isAddressEqual, parseEventLogs } from 'viem';
import { type BridgeTransfer, bridgeNonce } from '#chains/evm/contracts/calls.ts';
import { burnMintBridge } from '#chains/evm/contracts/contracts.generated.ts';
import { type Proof, prove, type Witness } from '#chains/evm/contracts/proofs.ts';
import type { EvmChain } from '#chains/evm/network.ts';

interface ExpectedMint extends BridgeTransfer {
  readonly fromChainId: number;
  readonly burnTx: Hash;
}

/** Whether that transaction minted exactly this transfer at our bridge, against that burn. */
export const proveBridgeMint = (
  chain: Witness & Pick<EvmChain, 'contracts'>,
  hash: Hash,
  expected: ExpectedMint,
): Promise<Proof<object>> =>
  prove(chain, hash, 1, (logs) =>
    parseEventLogs({ abi: burnMintBridge.abi, eventName: 'Minted', logs }).find(
      ({ address, args }) =>
        isAddressEqual(address, chain.contracts.bridge) &&
        args.nonce === bridgeNonce(expected.nonce) &&
        args.amount === expected.units &&
        args.fromChainId === BigInt(expected.fromChainId) &&
        args.burnTx === expected.burnTx &&
        isAddressEqual(args.recipient, expected.recipient),
    ),
  );
