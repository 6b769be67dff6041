import type { Cardano } from '#chains/cardano/port.ts';
import type { EvmNetwork } from '#chains/evm/port.ts';
import type { XrplNetwork } from '#chains/xrpl/port.ts';
import type { SecurityNotices } from '#features/accounts/security-notices/security-notices.ts';
import type { Kernel } from '#kernel/kernel.ts';

export interface WalletProofDeps
  extends Pick<Kernel, 'db' | 'clock' | 'config' | 'quotas' | 'publicUrl'> {
  readonly evm: EvmNetwork;
  readonly xrpl: Pick<XrplNetwork, 'isSignedFor'>;
  readonly cardano: Pick<Cardano, 'typedAddress'>;
  readonly notices: SecurityNotices;
}
