import { generateKeyPairSync, sign } from 'node:crypto';
import { deriveAddress } from 'xrpl';

/** An account of the XRP Ledger that signs texts. */
export function xrplSigner() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
  const public_key = `ED${raw.toString('hex').toUpperCase()}`;
  return {
    address: deriveAddress(public_key),
    signText: (text: string) => ({
      signature: sign(null, Buffer.from(text), privateKey).toString('hex').toUpperCase(),
      public_key,
    }),
  };
}
