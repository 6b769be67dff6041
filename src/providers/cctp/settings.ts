import { type Static, Type } from 'typebox';
import { jsonSetting } from '#kernel/json-setting.ts';
import type { Config } from '#src/config.ts';

const Address = Type.Unsafe<`0x${string}`>({ type: 'string', pattern: '^0x[0-9a-fA-F]{40}$' });
const CctpChain = Type.Object(
  {
    /** Circle's number of the chain; 0 is Ethereum, 7 is Polygon, and their test networks. */
    domain: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }),
    usdc: Address,
    token_messenger: Address,
    message_transmitter: Address,
  },
  { additionalProperties: false },
);
const CctpChains = Type.Partial(
  Type.Object({ sepolia: CctpChain, amoy: CctpChain, neon: CctpChain }),
  { additionalProperties: false },
);

export type CctpChain = Static<typeof CctpChain>;
export type CctpChains = Static<typeof CctpChains>;

/** The chains that have CCTP, by CCTP_CONTRACTS. Throws when that is malformed. */
export function cctpChains({ CCTP_CONTRACTS: text }: Pick<Config, 'CCTP_CONTRACTS'>): CctpChains {
  return text === undefined ? {} : jsonSetting('CCTP_CONTRACTS', CctpChains, text);
}
