import { Type } from 'typebox';
import type { Address } from 'viem';
import { FORBIDDEN } from '#chains/destinations.ts';
import {
  CHAIN_KEYS,
  ChainError,
  type EvmChain,
  type EvmNetwork,
  readToken,
  type TokenInfo,
  typedEvmAddress,
} from '#chains/evm/port.ts';
import {
  importedBy,
  insertToken,
  placesFor,
} from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { requireUser, tenantScopeOf } from '#kernel/access/tenant-scope.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Config } from '#kernel/config/config.ts';
import { fail, wrongField } from '#kernel/error.ts';
import { codedEnvelope } from '#kernel/http/declare/envelope.ts';
import { missingFields } from '#kernel/http/declare/faults.ts';
import { named } from '#kernel/http/declare/named.ts';
import { endpoints, type Route } from '#kernel/http/declare/route.ts';
import { Id, IdInput, oneOfWords, stamped, Timestamp, text } from '#kernel/http/declare/schema.ts';
import { notConfigured } from '#kernel/provider-call.ts';

const endpoint = endpoints(codedEnvelope);

const Imported = named('ImportedToken', {
  asset_ids: Type.Array(Id),
  user_id: Id,
  chain_id: Type.String(),
  token_address: Type.String(),
  token_info: Type.Object({
    symbol: Type.String(),
    name: Type.String(),
    decimals: Type.Integer(),
  }),
  imported_to_wallets: Type.Integer(),
  wallet_details: Type.Array(Type.Object({ bw_id: Id, wallet_name: Type.String(), asset_id: Id })),
  imported_at: Timestamp,
});

export interface TokenDeps {
  readonly clock: Clock;
  readonly evm: EvmNetwork;
  readonly config: Pick<Config, 'MOCK_MODE'>;
}

/** Showing further ERC-20 tokens in wallets (contract: POST /tokens/import). */
export const tokenRoutes = ({ evm, clock, config }: TokenDeps): Route[] => [
  endpoint('POST /tokens/import', {
    name: 'tokens.import',
    auth: 'user',
    errors: [
      'USER_NOT_FOUND',
      'WALLET_NOT_FOUND',
      'TOKEN_ALREADY_EXISTS',
      'LIMIT_EXCEEDED',
      'PROVIDER_UNAVAILABLE',
    ],
    summary: 'Adds a token to all of the user’s wallets on its chain',
    body: Type.Object({
      chain_id: oneOfWords(CHAIN_KEYS),
      asset_issuer: text(100),
      user_id: Type.Optional(IdInput),
    }),
    reply: { 200: stamped({ message: Type.String(), data: Imported }) },
    invalid: missingFields,
    async handler({ caller, body, operation, db }) {
      const { chain_id, asset_issuer, user_id = caller.user_id } = body;
      await requireUser(db, tenantScopeOf(caller), user_id);
      const address = typedEvmAddress(asset_issuer, config);
      if (address === undefined)
        throw wrongIssuer('must be a 0x address with a valid EIP-55 checksum');
      const why = await evm.forbids(address);
      // Contracts are what is wanted here.
      if (why !== undefined && why !== 'CONTRACT') throw wrongIssuer(FORBIDDEN[why]);
      const places = await placesFor(db, user_id, chain_id, address);
      if (places.length === 0)
        throw fail('WALLET_NOT_FOUND', `The user has no wallet with an address on ${chain_id}`);
      const isThere = places.every(({ has_token }) => has_token);
      const before = isThere ? await importedBy(db, user_id, address, operation) : [];
      if (isThere && before.length === 0) throw alreadyThere();
      const token = await tokenAt(evm.chains[chain_id], address);
      const wallet_details = isThere
        ? before
        : await insertToken(db, user_id, chain_id, { ...token, imported_by: operation });
      if (wallet_details.length === 0) throw alreadyThere();
      const { symbol, name, decimals } = token;
      return {
        message: `Imported ${symbol}`,
        data: {
          asset_ids: wallet_details.map(({ asset_id }) => asset_id),
          user_id,
          chain_id,
          token_address: address,
          token_info: { symbol, name, decimals },
          imported_to_wallets: wallet_details.length,
          wallet_details,
          imported_at: clock.now().toISOString(),
        },
      };
    },
  }),
];

/** What the contract says of itself; a contract that can make wallets show an amount must be a token. */
async function tokenAt(chain: EvmChain, address: Address): Promise<TokenInfo> {
  const { key } = chain.info;
  const token = await read().catch((error: unknown) => {
    if (!(error instanceof ChainError)) throw error;
    if (error.details.isNotConfigured) throw notConfigured(`The chain ${key}`);
    throw fail('PROVIDER_UNAVAILABLE', `${key} cannot be reached`, { retryAfter: 5, cause: error });
  });
  if (token === undefined) throw wrongIssuer(`is no ERC-20 token contract on ${key}`);
  return token;

  async function read() {
    return readToken(chain, address);
  }
}

const wrongIssuer = (message: string) => wrongField('asset_issuer', message);

const alreadyThere = () =>
  fail('TOKEN_ALREADY_EXISTS', 'All of the user’s wallets on that chain have this token already');
