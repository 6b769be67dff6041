import { Type } from 'typebox';
import { chain, json, mnemonic, optional, setting, socketUrl, url } from '../setting-kinds.ts';

/** Chains. */
export const CHAINS_SETTINGS = {
  EVM_SEPOLIA_RPC_URL: setting(optional(url), 'JSON-RPC of Sepolia', { usually: 'embedded node' }),
  EVM_AMOY_RPC_URL: setting(optional(url), 'JSON-RPC of Polygon Amoy', {
    usually: 'embedded node',
  }),
  EVM_NEON_RPC_URL: setting(optional(url), 'JSON-RPC of Neon', { usually: 'embedded node' }),
  EVM_RPC_URLS: setting(
    optional(json('{"base":"https://rpc.example"}')),
    'JSON of JSON-RPC addresses by chain, for chains added as rows',
    { usually: 'embedded nodes' },
  ),
  EVM_CONTRACTS: setting(
    optional(json('{"sepolia":{"usdc":"0x…"}}')),
    'JSON of contract addresses per chain',
    { usually: 'our deployment' },
  ),
  EVM_MNEMONIC: setting(
    optional(mnemonic),
    "words of the platform's own accounts, on Cardano too",
    { usually: 'generated in development', production: '' },
  ),
  EVM_CONFIRMATIONS: setting(
    Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
    'blocks before a send, a burn or a payment counts',
  ),
  IDR_TOKEN_CHAIN: setting(chain('amoy'), 'chain on which rupiah tokens are minted'),
  PURCHASE_CHAIN: setting(chain('neon'), 'chain on which purchases of the first version are paid'),
  XRPL_URL: setting(
    optional(socketUrl),
    'a server of the XRP Ledger: `wss://s.altnet.rippletest.net:51233`',
    { usually: 'sandbox' },
  ),
  CCTP_URL: setting(optional(url), "Circle's attestation service", { usually: 'sandbox' }),
  CCTP_CONTRACTS: setting(
    optional(
      json(
        '{"sepolia":{"domain":0,"usdc":"0x…","token_messenger":"0x…","message_transmitter":"0x…"}}',
      ),
    ),
    'where CCTP V2 is, per chain, as JSON',
    { usually: 'our own bridge' },
  ),
  CARDANO_URL: setting(
    optional(url),
    "`https://cardano-preprod.blockfrost.io/api/v0`: Cardano's test network",
    { usually: 'sandbox' },
  ),
  CARDANO_PROJECT_ID: setting(
    Type.String({ default: 'sandbox-cardano-project' }),
    'project id at Blockfrost',
  ),
  CARDANO_CONFIRMATIONS: setting(
    optional(Type.Integer({ minimum: 1, maximum: 2160 })),
    'blocks before a mint or a burn counts',
    { usually: '`5`, in the sandbox `1`' },
  ),
};
