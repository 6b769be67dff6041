import type { Address, Hash } from 'viem';
import {
  bridgeBurnCall,
  bridgeMintCall,
  type ContractCall,
  findBridgeBurn,
  type Proof,
  proveBridgeBurn,
  proveBridgeMint,
} from '#chains/evm/contracts/port.ts';
import type { EvmNetwork } from '#chains/evm/port.ts';
import { done, type Outcome } from '#kernel/provider-call.ts';
import type { Cctp } from '#providers/cctp/port.ts';
import type { CrosschainTransfer } from './store.ts';

/** How USDC gets from one chain to another: over our own bridge or over Circle's protocol. */
export interface BridgeRoute {
  /** The token that is burnt on the source chain. */
  token(transfer: Pick<CrosschainTransfer, 'from_chain'>): Address;
  /** What the payer signs, in this order; the last one is the burn. */
  burnCalls(transfer: CrosschainTransfer): readonly ContractCall[];
  /** Whether that transaction is this transfer's burn, that deep in the source chain. */
  proveBurn(
    transfer: CrosschainTransfer,
    hash: Hash,
    confirmations: number,
  ): Promise<Proof<{ readonly from: Address }>>;
  /** The transaction that has burnt it by now, if there is one, of any sender. Throws ChainError. */
  findBurn(transfer: CrosschainTransfer, since: Date): Promise<Hash | undefined>;
  /** Whether that transaction minted this transfer, and nothing else. */
  proveMint(transfer: CrosschainTransfer, burnHash: Hash, hash: Hash): Promise<Proof<object>>;
  /** What the relayer signs for it; nothing while it cannot be minted yet. */
  mintCall(transfer: CrosschainTransfer, hash: Hash): Promise<Outcome<ContractCall | undefined>>;
}

export type BridgeRoutes = Readonly<Record<CrosschainTransfer['bridge_route'], BridgeRoute>>;

/** Circle's protocol where it joins both chains. */
export const bridgeRouteOf = (
  { cctp }: { readonly cctp: Cctp },
  { from_chain, to_chain }: Pick<CrosschainTransfer, 'from_chain' | 'to_chain'>,
): CrosschainTransfer['bridge_route'] => (cctp.joins(from_chain, to_chain) ? 'CCTP' : 'BRIDGE');

export const createBridgeRoutes = (evm: EvmNetwork, cctp: Cctp): BridgeRoutes => ({
  BRIDGE: ownBridgeRoute(evm),
  CCTP: cctpRoute(evm, cctp),
});

const ownBridgeRoute = ({ chains }: EvmNetwork): BridgeRoute => ({
  token: ({ from_chain }) => chains[from_chain].contracts.usdc,
  burnCalls: (transfer) => [
    bridgeBurnCall(
      chains[transfer.from_chain].contracts,
      bridgeParameters(transfer),
      chains[transfer.to_chain].info.chainId,
    ),
  ],
  async proveBurn(transfer, hash, confirmations) {
    return proveBridgeBurn(chains[transfer.from_chain], hash, {
      ...bridgeParameters(transfer),
      toChainId: chains[transfer.to_chain].info.chainId,
      confirmations,
    });
  },
  findBurn: (transfer, since) =>
    findBridgeBurn(chains[transfer.from_chain], {
      ...bridgeParameters(transfer),
      toChainId: chains[transfer.to_chain].info.chainId,
      since,
    }),
  async proveMint(transfer, burnTx, hash) {
    return proveBridgeMint(chains[transfer.to_chain], hash, {
      ...bridgeParameters(transfer),
      fromChainId: chains[transfer.from_chain].info.chainId,
      burnTx,
    });
  },
  async mintCall(transfer, hash) {
    const { chainId } = chains[transfer.from_chain].info;
    const { contracts } = chains[transfer.to_chain];
    return done(bridgeMintCall(contracts, bridgeParameters(transfer), { chainId, hash }));
  },
});

const bridgeParameters = ({ nonce, units, recipient_address: recipient }: CrosschainTransfer) => ({
  nonce,
  units,
  recipient,
});

const cctpRoute = ({ chains }: EvmNetwork, cctp: Cctp): BridgeRoute => ({
  token: ({ from_chain }) => cctp.token(from_chain),
  burnCalls: (transfer) => cctp.burnCalls(cctpParameters(transfer)),
  proveBurn: (transfer, hash, confirmations) =>
    cctp.proveBurn(chains[transfer.from_chain], hash, cctpParameters(transfer), confirmations),
  findBurn: (transfer, since) =>
    cctp.findBurn(chains[transfer.from_chain], cctpParameters(transfer), since),
  proveMint: (transfer, _burnHash, hash) =>
    cctp.proveMint(chains[transfer.to_chain], hash, cctpParameters(transfer)),
  mintCall: (transfer, hash) => cctp.mintCall({ ...cctpParameters(transfer), hash }),
});

const cctpParameters = ({
  nonce,
  from_chain,
  to_chain,
  units,
  recipient_address,
}: CrosschainTransfer) => ({
  nonce,
  from: from_chain,
  to: to_chain,
  units,
  recipient: recipient_address,
});
