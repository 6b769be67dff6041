import { loadLib } from '#chains/cardano/csl.ts';
import { NETWORK_ID } from '#chains/cardano/keys.ts';

/** A wallet with a payment and a stake key, which signs data as CIP-30 has it. CBOR is written here by hand. */
export async function cardanoSigner() {
  const lib = await loadLib();
  const keys = {
    payment: lib.PrivateKey.generate_ed25519(),
    stake: lib.PrivateKey.generate_ed25519(),
  };
  const [payment, stake] = [keys.payment, keys.stake].map((key) =>
    lib.Credential.from_keyhash(key.to_public().hash()),
  );
  if (payment === undefined || stake === undefined) throw new Error('No keys');
  const address = lib.BaseAddress.new(NETWORK_ID, payment, stake).to_address();
  return {
    address: address.to_bech32(),
    signData(by: keyof typeof keys, message: string) {
      const payload = bytes(Buffer.from(message));
      const header = map(2, number(1), number(-8), words('address'), bytes(address.to_bytes()));
      const signed = list(4, words('Signature1'), bytes(header), bytes(Buffer.alloc(0)), payload);
      const signature = bytes(keys[by].sign(signed).to_bytes());
      const unsealed = map(1, words('hashed'), Buffer.from([0xf4]));
      const key = bytes(keys[by].to_public().as_bytes());
      return {
        signature: list(4, bytes(header), unsealed, payload, signature).toString('hex'),
        public_key: map(
          4,
          ...[number(1), number(1), number(3), number(-8), number(-1), number(6), number(-2), key],
        ).toString('hex'),
      };
    },
  };
}

const head = (kind: number, n: number): Buffer =>
  n < 24
    ? Buffer.from([(kind << 5) | n])
    : n < 256
      ? Buffer.from([(kind << 5) | 24, n])
      : Buffer.from([(kind << 5) | 25, n >> 8, n & 255]);
const number = (n: number): Buffer => (n < 0 ? head(1, -1 - n) : head(0, n));
const bytes = (data: Uint8Array): Buffer => Buffer.concat([head(2, data.length), data]);
const words = (text: string): Buffer => Buffer.concat([head(3, text.length), Buffer.from(text)]);
const list = (n: number, ...items: Buffer[]): Buffer => Buffer.concat([head(4, n), ...items]);
const map = (n: number, ...items: Buffer[]): Buffer => Buffer.concat([head(5, n), ...items]);
