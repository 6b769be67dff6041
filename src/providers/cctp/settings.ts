import { type Static, Type } from 'typebox';
import { AddressSetting, type ChainKey, chainSetting } from '#chains/evm/port.ts';
import type { Config } from '#kernel/config/config.ts';

const CctpChain = Type.Object(
  {
    /** Circle's number of the chain; 0 is Ethereum, 7 is Polygon, and their test networks. */
    domain: Type.Integer({ minimum: 0, maximum: 0xffff_ffff }),
    usdc: AddressSetting,
    token_messenger: AddressSetting,
    message_transmitter: AddressSetting,
  },
  { additionalProperties: false },
);

export type CctpChain = Static<typeof CctpChain>;
export type CctpChains = Partial<Readonly<Record<ChainKey, CctpChain>>>;

/** The chains that have CCTP, by CCTP_CONTRACTS. Throws if that is malformed. */
export const cctpChains = ({ CCTP_CONTRACTS: text }: Pick<Config, 'CCTP_CONTRACTS'>): CctpChains =>
  chainSetting('CCTP_CONTRACTS', CctpChain, text);
