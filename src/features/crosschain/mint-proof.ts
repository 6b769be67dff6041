import { type Address, type Hash, isAddressEqual, parseEventLogs } from 'viem';
import { type BridgeTransfer, bridgeNonce } from '#chains/evm/calls.ts';
import type { ChainClient } from '#chains/evm/client.ts';
import { burnMintBridge } from '#chains/evm/contracts.generated.ts';
import { type Proof, prove } from '#chains/evm/proofs.ts';

interface ExpectedMint extends BridgeTransfer {
  readonly fromChainId: number;
  readonly burnTx: Hash;
}

/** Whether that transaction minted exactly this transfer at our bridge, against that burn. */
export const proveBridgeMint = (
  client: ChainClient,
  { bridge }: { readonly bridge: Address },
  hash: Hash,
  expected: ExpectedMint,
): Promise<Proof<object>> =>
  prove(client, hash, 1, (logs) =>
    parseEventLogs({ abi: burnMintBridge.abi, eventName: 'Minted', logs }).find(
      ({ address, args }) =>
        isAddressEqual(address, bridge) &&
        args.nonce === bridgeNonce(expected.nonce) &&
        args.amount === expected.units &&
        args.fromChainId === BigInt(expected.fromChainId) &&
        args.burnTx === expected.burnTx &&
        isAddressEqual(args.recipient, expected.recipient),
    ),
  );
