import { type Destinations, each, type Forbidden } from '../destinations.ts';
import { inLib, type Lib, loadLib } from './csl.ts';
import { type CardanoKeys, NETWORK_ID } from './keys.ts';

/**
 * Every address that the treasury's key can pay from is the platform's, with whatever stake it is joined. Whose
 * payment part is a script gets nothing: an output without a datum, as ours are, is locked there for good.
 */
export function cardanoDestinations(keys: () => Promise<CardanoKeys>): Destinations {
  return {
    async forbids(address) {
      const [lib, { treasury, treasuryHash }] = [await loadLib(), await keys()];
      return address === treasury ? 'PLATFORM' : forbiddenFor(lib, address, treasuryHash);
    },
    async forbidden() {
      const [lib, { treasury, policyId }] = [await loadLib(), await keys()];
      return [...each('PLATFORM', [treasury]), ...each('CONTRACT', [scriptAddress(lib, policyId)])];
    },
  };
}

const forbiddenFor = (lib: Lib, text: string, treasuryHash: string): Forbidden | undefined =>
  inLib((keep) => {
    const address = keep(lib.Address.from_bech32(text));
    const credential = address.payment_cred();
    if (credential === undefined) return 'NOBODY';
    keep(credential);
    const key = credential.to_keyhash();
    if (key === undefined) return 'CONTRACT';
    return keep(key).to_hex() === treasuryHash ? 'PLATFORM' : undefined;
  });

/** Where the policy of our USDC would get what is paid to it. */
const scriptAddress = (lib: Lib, policyId: string): string =>
  inLib((keep) => {
    const hash = keep(lib.ScriptHash.from_hex(policyId));
    const credential = keep(lib.Credential.from_scripthash(hash));
    return keep(keep(lib.EnterpriseAddress.new(NETWORK_ID, credential)).to_address()).to_bech32();
  });
